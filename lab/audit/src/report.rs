//! The audit from end to end, and its published form.

use crate::catalogue::{self, Catalogue, Facts, builtin};
use crate::census::{Counted, Counts, Layers, Tally, count};
use crate::charge::owner_spans;
use crate::dwarf::Dwarf;
use crate::error::AuditError;
use crate::image::{CodeSection, Image};
use crate::inlines::Inlines;
use crate::lines::Lines;
use crate::owner::UNATTRIBUTED;
use crate::sections::DebugSections;
use crate::survival::{by_chain, by_symbol, function_name, judge};
use crate::symbols::Symbols;
use crate::target::Target;
use karat_model::audit::{ApartRegion, BinaryAudit, CrateCensus, FunctionCensus, Survival};
use karat_model::catalogue::Library;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Instant;

const DEAD_COPY: &str = "no sized symbol covers it where BOLT left the code it moved: \
     taken for dead copies and not counted";
const MAYBE_DATA: &str = "functions with bytes that do not decode may be data: \
     counted, but no extension is claimed from them";

/// What to look for.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// Functions the study expects, as paths (`blake2b_simd::avx2::compress1_loop`,
    /// `<a::Foo as Bar>::f`, a C symbol) or everything below one (`a::avx2::*`).
    /// Generic arguments are ignored.
    pub expected: &'a [String],
    /// The audit to compare with, made with the same `expected`; none for the
    /// baseline itself.
    pub baseline: Option<&'a BinaryAudit>,
    /// How many functions to list.
    pub top_functions: usize,
    /// Known kernels beyond those that karat brings along
    /// ([`catalogue::builtin`]); they go first.
    pub catalogue: &'a [Library],
}

/// Where the time of an audit went, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Phases {
    /// Headers, sections and symbols.
    pub symbols: f64,
    /// Line tables and inline trees.
    pub dwarf: f64,
    /// Matching the expected functions with names.
    pub matching: f64,
    /// Decoding and counting.
    pub census: f64,
    /// Looking for known kernels.
    pub catalogue: f64,
    /// Sorting, demangling what is listed, and comparing.
    pub report: f64,
}

/// Audits one linked binary, given as its bytes.
///
/// # Errors
/// [`AuditError::Unsupported`] for anything but a linked ELF x86-64 file, and
/// [`AuditError::Malformed`] for a damaged one.
pub fn audit(bytes: &[u8], options: &Options<'_>) -> Result<BinaryAudit, AuditError> {
    audit_timed(bytes, options).map(|(audit, _)| audit)
}

/// [`audit`], with the time each part took.
///
/// # Errors
/// As [`audit`].
pub fn audit_timed(
    bytes: &[u8],
    options: &Options<'_>,
) -> Result<(BinaryAudit, Phases), AuditError> {
    let start = Instant::now();
    let mut phases = Phases::default();
    let mut lap = Instant::now();
    let mut took = || {
        std::mem::replace(&mut lap, Instant::now())
            .elapsed()
            .as_secs_f64()
    };

    let image = Image::parse(bytes)?;
    let symbols = Symbols::read(&image);
    phases.symbols = took();

    let sections = DebugSections::read(&image)?;
    let dwarf = Dwarf::read(&sections)?;
    let mut lines = Lines::read(&image, &dwarf)?;
    let inlines = Inlines::read(&image, &dwarf, &mut lines)?;
    phases.dwarf = took();

    let known = Catalogue::new(options.catalogue.iter().chain(builtin()));
    let frames = inlines.frames.iter().filter(|frame| frame.is_linkage);
    let inlined_kernels = known.inlined(&symbols, frames.map(|frame| frame.name));
    let wanted = options.expected.iter().map(String::as_str);
    let wanted = wanted.chain(inlined_kernels.iter().map(|(_, name)| *name));
    let targets: Vec<Target> = wanted.map(Target::new).collect();
    let by_symbol = by_symbol(&symbols, &targets);
    let (inlined, inline_sets) = by_chain(&inlines, &dwarf, &lines, &targets);
    let owners = owner_spans(&lines, &inlines);
    phases.matching = took();

    let counted = count(
        &image,
        &symbols,
        &Layers {
            owners: &owners,
            owner_count: lines.owners.len(),
            by_symbol: &by_symbol,
            inlined: &inlined,
            inline_sets: &inline_sets,
            target_count: targets.len(),
        },
    );
    phases.census = took();

    let widths: Vec<_> = counted.functions.iter().map(Counts::widths).collect();
    let mut found = catalogue::find(
        &known,
        &Facts {
            image: &image,
            symbols: &symbols,
            widths: &widths,
        },
    );
    let kernels = inlined_kernels.iter().map(|(kernel, _)| *kernel);
    let inlined_counts = kernels.zip(&counted.targets[options.expected.len()..]);
    catalogue::add_inlined(&known, &symbols, inlined_counts, &mut found);
    phases.catalogue = took();

    let targets = &targets[..options.expected.len()];
    let survival = targets.iter().zip(&counted.targets).enumerate();
    let survival: Vec<Survival> = survival
        .map(|(number, (target, found))| {
            let has_symbol = by_symbol.values().any(|t| t.contains(&(number as u32)));
            let caveat = caveat(&dwarf, &inlines, target);
            judge(
                target,
                has_symbol,
                found,
                &symbols,
                caveat,
                options.baseline,
            )
        })
        .collect();
    let mut audit = BinaryAudit {
        format: "ELF x86-64".into(),
        code_bytes: symbols.code_bytes(),
        has_line_tables: dwarf.problem.is_none(),
        total: total(&counted).census(),
        functions: functions(&symbols, &counted, options.top_functions),
        functions_total: counted.functions.iter().filter(|c| is_there(c)).count() as u64,
        crates: crates(&lines, &counted),
        apart: apart(&image, &symbols, &counted),
        survival,
        bloat: None,
        known: found,
        leaks: None,
        seconds: 0.0,
    };
    phases.report = took();
    audit.seconds = start.elapsed().as_secs_f64();
    Ok((audit, phases))
}

/// What limits the answer about a function's inlined code, if anything.
fn caveat(dwarf: &Dwarf<'_>, inlines: &Inlines<'_>, target: &Target) -> Option<String> {
    let reason = if let Some(problem) = dwarf.problem {
        problem.to_string()
    } else if inlines.nodes.is_empty() {
        "the debug information has line tables but no inline trees".into()
    } else {
        // The standard library brings debug information into every Rust binary,
        // also into one whose own crates have none.
        let of_crate = |krate: &str| dwarf.units.iter().any(|u| u.is_rust && u.owner == krate);
        match target.krate() {
            Some(krate) if !of_crate(krate) => {
                format!("the binary has no debug information of the crate {krate}")
            }
            None if dwarf.units.iter().all(|unit| unit.is_rust) => {
                "the binary has no debug information of C code".into()
            }
            _ => return None,
        }
    };
    Some(format!("inlining cannot be excluded: {reason}"))
}

/// Whether a function got at least a byte: one that others hide wholly did not.
fn is_there(counts: &Counts) -> bool {
    counts.instructions + counts.undecodable > 0
}

fn total(counted: &Counted) -> Tally {
    let mut total = Tally::default();
    for owner in &counted.owners {
        total.add(owner);
    }
    total
}

fn crates(lines: &Lines, counted: &Counted) -> Vec<CrateCensus> {
    let mut by_name: HashMap<&str, Tally> = HashMap::new();
    let names = lines
        .owners
        .iter()
        .map(String::as_str)
        .chain([UNATTRIBUTED]);
    for (name, tally) in names.zip(&counted.owners) {
        if is_there(&tally.counts) {
            by_name.entry(name).or_default().add(tally);
        }
    }
    let mut crates: Vec<_> = by_name
        .into_iter()
        .map(|(name, tally)| CrateCensus {
            name: name.to_string(),
            census: tally.census(),
        })
        .collect();
    crates.sort_by(|a, b| {
        let key = |c: &CrateCensus| Reverse(c.census.instructions);
        key(a).cmp(&key(b)).then_with(|| a.name.cmp(&b.name))
    });
    crates
}

/// What the totals leave out, or say less about.
fn apart(image: &Image<'_>, symbols: &Symbols<'_>, counted: &Counted) -> Vec<ApartRegion> {
    let mut out = Vec::new();
    let mut add = |section: &CodeSection<'_>, bytes, undecodable, why: &str| {
        if bytes > 0 {
            out.push(ApartRegion {
                section: section.name.clone(),
                bytes,
                undecodable,
                why: why.into(),
            });
        }
    };
    for (section, withheld) in image.code.iter().zip(&counted.withheld) {
        let unread = section.bytes.len() as u64 - symbols.bytes_in(section);
        add(section, unread, 0, DEAD_COPY);
        add(section, withheld.bytes, withheld.undecodable, MAYBE_DATA);
    }
    out
}

/// The functions with most wide vector instructions, then with most vector
/// instructions of any width; ties by size, then by address,
/// so that two audits of one file agree.
fn functions(symbols: &Symbols<'_>, counted: &Counted, top: usize) -> Vec<FunctionCensus> {
    let mut order: Vec<u32> = (0..counted.functions.len() as u32)
        .filter(|&f| is_there(&counted.functions[f as usize]))
        .collect();
    order.sort_by_key(|&f| {
        let counts = &counted.functions[f as usize];
        let address = symbols.functions[f as usize].address;
        (
            Reverse(counts.wide()),
            Reverse(counts.vector()),
            Reverse(counts.instructions),
            address,
        )
    });
    order.truncate(top);
    let mut tallies: HashMap<u32, Tally> = order
        .iter()
        .map(|&f| (f, Tally::of(counted.functions[f as usize])))
        .collect();
    for &(function, set, count) in &counted.function_sets {
        if let Some(tally) = tallies.get_mut(&function) {
            tally.add_set(set, count);
        }
    }
    order
        .iter()
        .map(|f| FunctionCensus {
            name: function_name(symbols, *f),
            address: symbols.functions[*f as usize].address,
            census: tallies[f].census(),
        })
        .collect()
}
