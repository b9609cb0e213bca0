//! Adds the fingerprints of a build to a file of the catalogue.
//!
//! `cargo run --release -p karat-audit --example catalogue_learn -- FILE.toml BIN "VERSION, COMPILER"`
//! reads the file, takes for each of its kernels the functions of BIN that have
//! its names, and writes the file again.

use karat_audit::catalogue::fingerprints;
use karat_model::catalogue::Library;
use karat_model::diagnostic::render;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, binary, of] = &arguments[..] else {
        return Err("usage: catalogue_learn FILE.toml BIN \"VERSION, COMPILER\"".into());
    };
    let text = std::fs::read_to_string(file)?;
    let mut library =
        Library::parse(&text).map_err(|problems| render(&problems, file, &text, false))?;
    let bytes = std::fs::read(binary)?;
    let count = fingerprints(&bytes, &mut library, of)?;
    let without = library.kernels.iter().filter(|k| k.builds.is_empty());
    let without: Vec<&str> = without.map(|kernel| kernel.name.as_str()).collect();
    println!("{file}: {count} fingerprints of {of}; none yet: {without:?}");
    std::fs::write(file, library.to_toml())?;
    Ok(())
}
