//! `karat-mca`: what each implementation of karat's kernels would take on CPUs that are
//! not at hand, by llvm-mca.
//!
//! ```text
//! this program's file ─► emulated: which instructions run ─► llvm-mca for each design ─► CSV
//! ```
//!
//! The model leaves out caches, branches that are predicted wrong and the clock. Where a
//! machine has been measured, its record counts, and this does not.
//! `cargo xtask choices` takes the table for designs that have no record.

mod designs;
mod entry;
mod image;
mod llvm_mca;
mod machine;
mod memory;
mod sample;

use anyhow::{Context as _, Result, bail};
use karat_kit::{Size, Task, Threads, Unit};
use llvm_mca::{Mca, assembly};
use machine::{Features, Machine};
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::hint::black_box;

const USAGE: &str = "usage: cargo run --release -p karat-mca -- [--mca PROGRAM] FILE.csv [TASK…]
writes what llvm-mca says of each implementation of the tasks' kernels (all tasks by default)";

/// Sizes of items in bytes. Most calls are of about these.
const BYTES: &[u64] = &[64, 512, 4096];

/// Calls that take more input are left out: the emulator's time grows with it.
const MOST_BYTES: u64 = 8 * 1024;

/// Sizes of integers in bits. The emulator takes minutes for a power of longer ones.
const BITS: &[u64] = &[512];

fn main() -> Result<()> {
    // The emulated functions must be in this program.
    black_box((
        entry::run as extern "C" fn(_, _, _, _) -> _,
        entry::mark as extern "C" fn(),
    ));
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut program = "llvm-mca-19".to_owned();
    if arguments.first().is_some_and(|a| a == "--mca") && arguments.len() > 1 {
        program = arguments.remove(1);
        arguments.remove(0);
    }
    if arguments.is_empty() || arguments[0].starts_with('-') {
        bail!("{USAGE}");
    }
    let file = arguments.remove(0);
    let mca = Mca::new(&program)?;
    let named: Vec<&str> = std::iter::once(&file)
        .chain(&arguments)
        .map(String::as_str)
        .collect();
    let mut text = format!(
        "# command: cargo run --release -p karat-mca -- {}\n# model: {}\n\
         task,kernel,items,size,implementation,cpu,instructions,cycles\n",
        named.join(" "),
        mca.version
    );
    for (index, (_, task)) in entry::tasks().enumerate() {
        if arguments.is_empty() || arguments.iter().any(|name| name == task.name) {
            add(&mut text, index, task, &mca).with_context(|| task.name)?;
            // What is done stays when the next task fails.
            std::fs::write(&file, &text).with_context(|| format!("cannot write {file}"))?;
        }
    }
    Ok(())
}

/// Adds the lines of one task.
fn add(text: &mut String, index: usize, task: &Task, mca: &Mca) -> Result<()> {
    let sizes = match task.unit {
        _ if task.threads == Threads::Own => return Ok(()),
        Unit::Bytes => BYTES,
        Unit::Bits => BITS,
        Unit::Count => return Ok(()),
    };
    let designs = designs::all()?;
    let exe = std::env::current_exe()?;
    let image = image::Image::load(&exe)?;
    let run = image.entry("run")?;
    // Lines, each with its design, and designs for which one is missing: without it the
    // others would be compared with each other only.
    let mut lines: Vec<(&str, String)> = Vec::new();
    let mut missing: HashSet<&str> = HashSet::new();
    for items in task.items {
        for size in sizes.iter().filter(|s| **s <= task.most) {
            let size = Size {
                items: *items,
                size: *size,
            };
            if task.unit == Unit::Bytes && size.size * size.items as u64 > MOST_BYTES {
                continue;
            }
            for body in 0..bodies(index) {
                // Designs with the same ISAs execute the same instructions.
                let mut traces: HashMap<Features, Option<(usize, Vec<String>)>> = HashMap::new();
                for design in &designs {
                    let features = Features::of(&design.isas);
                    let trace = match traces.get(&features) {
                        Some(trace) => trace,
                        None => {
                            let machine = Machine::new(&image, features.clone())?;
                            let arguments =
                                [index as u64, body as u64, size.items as u64, size.size];
                            let ran = machine.call(run, &arguments)?;
                            if !ran.unknown.is_empty() {
                                let name = name(index, body);
                                eprintln!("{} by {name}: passed over {:?}", task.name, ran.unknown);
                            }
                            let trace = (ran.result == 1).then(|| {
                                let parts = sample::parts(&ran.trace);
                                (ran.trace.len(), parts.into_iter().map(assembly).collect())
                            });
                            traces.entry(features).or_insert(trace)
                        }
                    };
                    let Some((instructions, parts)) = trace else {
                        continue;
                    };
                    let cycles = parts.iter().map(|part| mca.cycles(part, design.name));
                    let cycles = match cycles.sum::<Result<u64>>() {
                        Ok(cycles) => sample::scaled(cycles, *instructions),
                        Err(error) => {
                            // llvm-mca crashes at some instructions of some designs.
                            eprintln!("{} without {}: {error}", task.name, design.name);
                            missing.insert(design.name);
                            continue;
                        }
                    };
                    let line = format!(
                        "{},{},{},{},{},{},{instructions},{cycles}",
                        task.name,
                        task.kernel,
                        size.items,
                        size.size,
                        name(index, body),
                        design.name
                    );
                    lines.push((design.name, line));
                }
                eprintln!(
                    "{} {} x {}: {}",
                    task.name,
                    size.items,
                    size.size,
                    name(index, body)
                );
            }
        }
    }
    for (_, line) in lines.iter().filter(|(design, _)| !missing.contains(design)) {
        let _ = writeln!(text, "{line}");
    }
    Ok(())
}

/// Number of implementations of the kernel of a task.
fn bodies(task: usize) -> usize {
    let (suite, task) = entry::tasks().nth(task).expect("a task");
    suite
        .kernel(task.kernel)
        .map_or(0, karat_cpu::AnyKernel::len)
}

/// The name of one of them.
fn name(task: usize, body: usize) -> &'static str {
    let (suite, task) = entry::tasks().nth(task).expect("a task");
    suite
        .kernel(task.kernel)
        .expect("its kernel")
        .info(body)
        .name
}
