//! Prints how fast files are audited, the count and the DWARF apart.
//!
//! `cargo run --release -p karat-audit --example audit_speed -- FILE...`

use karat_audit::{Options, Phases, audit_timed};

/// Runs per file; the fastest of each part counts.
const RUNS: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path)?;
        let options = Options {
            expected: &[],
            baseline: None,
            top_functions: 50,
            catalogue: &[],
        };
        let mut best: Option<Phases> = None;
        let mut code = 0;
        let mut total = 0;
        for _ in 0..RUNS {
            let (audit, now) = audit_timed(&bytes, &options)?;
            (code, total) = (audit.code_bytes, audit.total.instructions);
            best = Some(best.map_or(now, |best| Phases {
                symbols: best.symbols.min(now.symbols),
                dwarf: best.dwarf.min(now.dwarf),
                matching: best.matching.min(now.matching),
                census: best.census.min(now.census),
                catalogue: best.catalogue.min(now.catalogue),
                report: best.report.min(now.report),
            }));
        }
        let best = best.unwrap_or_default();
        let megabytes = code as f64 / 1e6;
        println!("{path}: {megabytes:.1} MB of code, {total} instructions");
        println!(
            "  census {:.0} MB/s ({:.3} s); with symbols and report {:.0} MB/s",
            megabytes / best.census,
            best.census,
            megabytes / (best.census + best.symbols + best.report + best.matching)
        );
        println!(
            "  symbols {:.3} s, DWARF {:.3} s, matching {:.3} s, catalogue {:.3} s, report {:.3} s",
            best.symbols, best.dwarf, best.matching, best.catalogue, best.report
        );
    }
    Ok(())
}
