//! `cargo run --manifest-path bindings/c/header/Cargo.toml`: writes include/karat.h from
//! the sources; with `--check`, fails when the committed one is another.

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), Box<dyn std::error::Error>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let file = folder.join("include/karat.h");
    let config = cbindgen::Config::from_file(folder.join("cbindgen.toml"))?;
    let mut builder = cbindgen::Builder::new().with_config(config);
    for source in [
        "status",
        "bytes",
        "hash",
        "blake2_types",
        "blake2",
        "blake3",
        "nmt",
        "erasure",
        "vdf",
    ] {
        builder = builder.with_src(folder.join(format!("src/{source}.rs")));
    }
    let mut header = Vec::new();
    builder.generate()?.write(&mut header);
    let header = sections_left_out(&String::from_utf8(header)?);
    if !std::env::args().any(|arg| arg == "--check") {
        return Ok(std::fs::write(file, header)?);
    }
    if std::fs::read_to_string(&file)? == header {
        return Ok(());
    }
    Err("include/karat.h is not that of the sources: \
         run `cargo run --manifest-path bindings/c/header/Cargo.toml`"
        .into())
}

/// Sections on safety speak to callers in Rust; C has no other functions.
fn sections_left_out(header: &str) -> String {
    let mut out = String::new();
    let mut leaving = false;
    for line in header.lines() {
        let comment = line.trim_start().starts_with("//");
        if comment && line.ends_with("# Safety") {
            // The empty comment line before it goes too.
            if let Some(short) = out.strip_suffix("//\n") {
                let short = short.trim_end_matches(' ').len();
                out.truncate(short);
            }
            leaving = true;
            out.push_str("// Pointers: ");
            continue;
        }
        if leaving && comment {
            let words = line.trim_start().trim_start_matches('/').trim_start();
            if words.starts_with("Pointers ") && out.ends_with("// Pointers: ") {
                out.truncate(out.len() - "Pointers: ".len());
            }
            out.push_str(words);
            out.push_str("\n// ");
            continue;
        }
        if leaving {
            leaving = false;
            out.truncate(out.trim_end_matches("// ").len());
        }
        out.push_str(line);
        out.push('\n');
    }
    out
}
