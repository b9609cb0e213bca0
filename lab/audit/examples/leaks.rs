//! Prints the states of functions above a baseline, and the time it took.
//!
//! `cargo run --release -p karat-audit --example leaks -- x86-64 FILE...`

use karat_audit::{Baseline, leaks};
use std::time::Instant;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let baseline = Baseline::parse(&args.next().unwrap_or("x86-64".into()))?;
    for path in args {
        let bytes = std::fs::read(&path)?;
        let start = Instant::now();
        let report = leaks(&bytes, &baseline)?;
        let seconds = start.elapsed().as_secs_f64();
        println!("{path}: {seconds:.2} s, {:?}", report.counts);
        if let Some(built) = &report.built_for {
            println!("  built for {}: {} functions", built.level, built.functions);
        }
        for function in &report.functions {
            println!(
                "  {:?} {} {:#x} {} ({}, {:?}{}) {}",
                function.reach,
                function.function,
                function.first.address,
                function.first.mnemonic,
                function.extensions.join(" "),
                function.confidence,
                if function.is_dispatcher { ", asks" } else { "" },
                function.reason,
            );
            for step in &function.path {
                println!("      {} {:#x}", step.function, step.address);
            }
            for gate in &function.gates {
                println!(
                    "      {:?} in {} {:#x} on {} ({:?})",
                    gate.kind, gate.function, gate.address, gate.asks, gate.confidence
                );
            }
        }
    }
    Ok(())
}
