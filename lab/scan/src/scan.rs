//! The scan from end to end: packages on several threads.

use crate::guard;
use crate::kernel::Kernel;
use crate::known::Compiler;
use crate::options::Options;
use crate::package::{self, Outcome};
use karat_model::scan::{Flags, Package, Scan};
use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Scans packages.
///
/// Files that cannot be read or parsed are notes of the result.
///
/// # Errors
/// When no thread can be started.
pub fn scan(packages: &[Package], options: &Options<'_>) -> io::Result<(Scan, Vec<Kernel>)> {
    let start = Instant::now();
    let compiler = Compiler::parse(options.cfg);
    let outcomes = run(packages, &compiler, options)?;
    let mut scan = Scan {
        schema: 1,
        karat: env!("CARGO_PKG_VERSION").into(),
        root: options.base.to_string_lossy().into_owned(),
        flags: Flags {
            features: compiler.features.clone(),
            ..options.flags.clone()
        },
        packages: packages.len() as u64,
        files: 0,
        parsed: 0,
        bytes: 0,
        milliseconds: 0,
        binary: None,
        sites: Vec::new(),
        left_out: Default::default(),
        notes: Vec::new(),
    };
    let mut kernels = Vec::new();
    for outcome in outcomes {
        scan.files += outcome.files;
        scan.parsed += outcome.parsed;
        scan.bytes += outcome.bytes;
        scan.sites.extend(outcome.sites);
        scan.notes.extend(outcome.notes);
        kernels.extend(outcome.kernels);
        let (sum, more) = (&mut scan.left_out, outcome.left_out);
        sum.tests += more.tests;
        sum.wasm += more.wasm;
        sum.other_targets += more.other_targets;
        sum.features_off += more.features_off;
        sum.not_simd += more.not_simd;
        sum.beside_detection += more.beside_detection;
    }
    scan.milliseconds = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    Ok((scan, kernels))
}

/// Outcomes in the order of the packages.
fn run(
    packages: &[Package],
    compiler: &Compiler,
    options: &Options<'_>,
) -> io::Result<Vec<Outcome>> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut out = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(package) = packages.get(at) else {
                return out;
            };
            out.push((at, package::scan(package, compiler, options)));
        }
    };
    let mut outcomes = std::thread::scope(|scope| {
        let workers = (0..options.threads.clamp(1, packages.len().max(1)))
            .map(|_| {
                std::thread::Builder::new()
                    .stack_size(guard::STACK)
                    .spawn_scoped(scope, work)
            })
            .collect::<io::Result<Vec<_>>>()?;
        let mut outcomes = Vec::new();
        for worker in workers {
            match worker.join() {
                Ok(part) => outcomes.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        io::Result::Ok(outcomes)
    })?;
    outcomes.sort_by_key(|(at, _)| *at);
    Ok(outcomes.into_iter().map(|(_, outcome)| outcome).collect())
}
