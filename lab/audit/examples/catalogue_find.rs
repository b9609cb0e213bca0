//! Prints the known kernels of files, and what the search costs.
//!
//! `cargo run --release -p karat-audit --example catalogue_find -- [CATALOGUE.toml...] FILE...`

use karat_audit::{Options, audit_timed};
use karat_model::catalogue::{Library, groups};
use karat_model::diagnostic::render;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (catalogues, files): (Vec<String>, Vec<String>) = std::env::args()
        .skip(1)
        .partition(|path| path.ends_with(".toml"));
    let mut own = Vec::new();
    for path in catalogues {
        let text = std::fs::read_to_string(&path)?;
        own.push(Library::parse(&text).map_err(|p| render(&p, &path, &text, false))?);
    }
    let options = Options {
        catalogue: &own,
        ..Options::default()
    };
    for path in files {
        let bytes = std::fs::read(&path)?;
        let (audit, phases) = match audit_timed(&bytes, &options) {
            Ok(done) => done,
            Err(error) => {
                println!("{path}: {error}");
                continue;
            }
        };
        println!(
            "{path}: {} known kernels; census {:.3} s, catalogue {:.3} s",
            audit.known.len(),
            phases.census,
            phases.catalogue
        );
        for group in groups(&audit.known) {
            println!("  {group:?}");
        }
        for kernel in &audit.known {
            println!(
                "    {:#x} {} [{}] in {} ({} functions): {} instructions, {}/{}/{}; {:?} {:?} {:?} {}",
                kernel.address,
                kernel.title(),
                kernel.isa,
                kernel.function.as_deref().unwrap_or("-"),
                kernel.functions,
                kernel.instructions,
                kernel.xmm,
                kernel.ymm,
                kernel.zmm,
                kernel.state,
                kernel.confidence,
                kernel.evidence,
                kernel.build.as_deref().unwrap_or("")
            );
        }
    }
    Ok(())
}
