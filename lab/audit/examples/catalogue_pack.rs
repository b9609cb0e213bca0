//! Writes `lab/audit/catalogue/builtin.bin`, which audits load, from the TOML files beside it.
//!
//! `cargo run --release -p karat-audit --example catalogue_pack`

use karat_audit::catalogue::{builtin, pack};

fn main() -> std::io::Result<()> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/catalogue/builtin.bin");
    let bytes = pack(builtin());
    std::fs::write(path, &bytes)?;
    println!("{path}: {} bytes", bytes.len());
    Ok(())
}
