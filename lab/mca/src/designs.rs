//! Designs of CPUs that both llvm-mca and karat know, with their ISAs.

use anyhow::{Context as _, Result, bail};
use karat_cpu::Microarchitecture;
use std::process::Command;

/// A design.
pub struct Design {
    /// Its name, as compilers write it.
    pub name: &'static str,
    /// Its ISAs, as rustc names them.
    pub isas: Vec<String>,
}

/// All designs.
///
/// # Errors
/// When rustc cannot be asked.
pub fn all() -> Result<Vec<Design>> {
    let designs = Microarchitecture::ALL.iter();
    designs
        .map(|design| {
            let name = design.name();
            Ok(Design {
                name,
                isas: isas(name)?,
            })
        })
        .collect()
}

fn isas(cpu: &str) -> Result<Vec<String>> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print=cfg", "--target=x86_64-unknown-linux-gnu"]);
    rustc.arg(format!("-Ctarget-cpu={cpu}"));
    let output = rustc.output().context("cannot start rustc")?;
    if !output.status.success() {
        bail!(
            "rustc knows no CPU {cpu}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let features = text.lines().filter_map(|line| {
        let name = line.strip_prefix("target_feature=\"")?.strip_suffix('"')?;
        Some(name.to_owned())
    });
    Ok(features.collect())
}
