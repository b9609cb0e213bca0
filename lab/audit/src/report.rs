//! The audit of one object file from end to end.

use crate::catalogue::{self, Catalogue, Constants};
use crate::count::census::Layers;
use crate::count::chunks::count;
use crate::document::{Facts, Summary};
use karat_binary::BinaryError;
use karat_binary::attribute::attribution::Attribution;
use karat_binary::attribute::by_name::ByName;
use karat_binary::attribute::expected::by_symbol;
use karat_binary::attribute::target::Target;
use karat_binary::debug::debug_file::attach;
use karat_binary::debug::dwarf::Dwarf;
use karat_binary::read::format::Arch;
use karat_binary::read::image::Image;
use karat_binary::read::sections::DebugSections;
use karat_binary::read::symbols::Symbols;
use karat_model::audit::BinaryAudit;
use karat_model::catalogue::Library;
use std::fmt;
use std::num::NonZeroUsize;
use std::time::Instant;

/// With more threads the memory bus is the limit, not the decoder.
const MOST_THREADS: usize = 8;

/// What to look for, and where.
#[derive(Clone, Copy, Debug)]
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
    /// The separate debug file (`.debug`, or the file inside a `.dSYM`) that
    /// [`wanted`](karat_binary::debug::debug_file::wanted) describes. Read if the binary has no debug
    /// information of its own; its symbols are read in any case. Not for archives
    /// and fat files.
    pub debug: Option<&'a [u8]>,
    /// Files of split debug information: a `.dwp`, or `.dwo` files.
    pub split: &'a [&'a [u8]],
    /// How many threads to use at most; the results are the same. By default as many
    /// as the machine runs at once, but no more than eight.
    pub threads: Option<NonZeroUsize>,
    /// Told where most of what was read of the bytes is not read again: who mapped the file may
    /// give memory back.
    pub let_go: LetGo<'a>,
}

/// Gives back what is not in these parts.
type GiveBack<'a> = &'a dyn Fn(&[&[u8]]);

/// What is called to give memory back, with the parts of the bytes that are read next; nothing by
/// default.
#[derive(Clone, Copy, Default)]
pub struct LetGo<'a>(pub Option<GiveBack<'a>>);

impl LetGo<'_> {
    fn but(self, keep: &[&[u8]]) {
        if let Some(let_go) = self.0 {
            let_go(keep);
        }
    }
}

impl fmt::Debug for LetGo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LetGo").field(&self.0.is_some()).finish()
    }
}

impl Default for Options<'_> {
    /// Nothing expected, 50 functions listed.
    fn default() -> Self {
        Self {
            expected: &[],
            baseline: None,
            top_functions: 50,
            catalogue: &[],
            debug: None,
            split: &[],
            threads: None,
            let_go: LetGo::default(),
        }
    }
}

/// What all object files of an archive are searched for.
pub(crate) struct Wanted<'a> {
    targets: Vec<Target>,
    known: Catalogue<'a>,
}

impl<'a> Wanted<'a> {
    pub fn new(options: &Options<'a>) -> Self {
        Self {
            targets: options.expected.iter().map(|w| Target::new(w)).collect(),
            known: Catalogue::new(options.catalogue),
        }
    }
}

impl Options<'_> {
    fn threads(&self) -> usize {
        let given = self.threads.map(NonZeroUsize::get);
        given.unwrap_or_else(|| {
            let machine = std::thread::available_parallelism();
            machine.map_or(1, |n| n.get().min(MOST_THREADS))
        })
    }
}

/// Where the time of an audit went, in seconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Phases {
    /// Headers, sections and symbols.
    pub symbols: f64,
    /// Line tables and inline trees, with the expected functions in them.
    pub dwarf: f64,
    /// Matching the expected functions with symbols.
    pub matching: f64,
    /// Decoding and counting.
    pub census: f64,
    /// Looking for known kernels.
    pub catalogue: f64,
    /// Sorting, demangling what is listed, and comparing.
    pub report: f64,
}

/// Audits a file that holds no others.
pub(crate) fn audit_linked(
    bytes: &[u8],
    options: &Options<'_>,
    phases: &mut Phases,
) -> Result<BinaryAudit, BinaryError> {
    let start = Instant::now();
    let mut image = Image::parse(bytes)?;
    if let Some(debug) = options.debug {
        attach(&mut image, debug)?;
    }
    phases.symbols = start.elapsed().as_secs_f64();
    let summary = audit_image(&image, options, &Wanted::new(options), None, phases)?;
    let lap = Instant::now();
    let mut audit = summary.document(
        image.format,
        options.expected,
        options.baseline,
        options.top_functions,
    );
    phases.report += lap.elapsed().as_secs_f64();
    audit.seconds = start.elapsed().as_secs_f64();
    Ok(audit)
}

/// Counts the code of an object file, a member of an archive perhaps.
pub(crate) fn audit_image(
    image: &Image<'_>,
    options: &Options<'_>,
    wanted: &Wanted<'_>,
    member: Option<&str>,
    phases: &mut Phases,
) -> Result<Summary, BinaryError> {
    let mut lap = Instant::now();
    let mut took = || {
        std::mem::replace(&mut lap, Instant::now())
            .elapsed()
            .as_secs_f64()
    };
    // A few bytes are not worth a thread.
    let threads = if image.size < 1 << 20 {
        1
    } else {
        options.threads()
    };
    let symbols = Symbols::read(image);
    phases.symbols += took();

    let Wanted { targets, known } = wanted;
    // Kernels of the catalogue are numbered behind what is expected.
    let first = targets.len() as u32;
    let named = known.named(&symbols);
    // Fingerprints and widths of kernels are of x86-64.
    let has_kernels = image.arch == Arch::X86_64;
    let kernel = |name: &str| {
        let name = Some(name).filter(|_| has_kernels)?;
        let kernel = known.find_name(name)?;
        named.absent[kernel as usize].then_some(first + kernel)
    };
    let sections = DebugSections::read(image, options.split)?;
    let dwarf = Dwarf::read(&sections)?;
    let from = Attribution::read(image, &dwarf, targets, &kernel, threads)?;
    phases.dwarf = took();

    let by_symbol = by_symbol(&symbols, targets);
    let facts = targets.iter().enumerate().map(|(number, target)| {
        let has_symbol = by_symbol.values().any(|t| t.contains(&(number as u32)));
        (has_symbol, caveat(&dwarf, &from, target))
    });
    let facts = facts.collect();
    let has_line_tables = !dwarf.units.is_empty();
    // Before the tables of the count are made.
    drop(dwarf);
    drop(sections);
    let by_name = ByName::read(&symbols, &from.owners, &from.owner_ranges);
    phases.matching = took();

    let constants = Constants::find(known, image);
    phases.catalogue = took();
    // The tables of symbols and what the program only reads were gone through. Of an archive
    // each member is small.
    if member.is_none() {
        let code = image.code.iter().filter(|section| !section.named_only);
        let code: Vec<&[u8]> = code.map(|section| section.bytes).collect();
        options.let_go.but(&code);
    }
    let counted = count(
        image,
        &symbols,
        &Layers {
            constants: constants.as_ref(),
            owners: &from.owner_ranges,
            owner_count: by_name.owners.len(),
            by_name: &by_name.functions,
            by_symbol: &by_symbol,
            inlined: &from.inlined,
            inline_sets: &from.inline_sets,
            target_count: targets.len() + known.len(),
        },
        threads,
    );
    phases.census = took();

    let searched = catalogue::Facts {
        image,
        symbols: &symbols,
        counts: &counted.functions,
        named: &named,
        places: &counted.places,
    };
    let mut found = catalogue::find(known, &searched);
    let kernels = counted.targets[targets.len()..].iter();
    catalogue::add_inlined(known, &symbols, (0..).zip(kernels), &mut found);
    phases.catalogue += took();

    let summary = Summary::of(&Facts {
        image,
        symbols: &symbols,
        counted: &counted,
        owners: &by_name,
        has_line_tables,
        targets: facts,
        known: found,
        member,
        top: options.top_functions,
    });
    phases.report = took();
    Ok(summary)
}

/// What limits the answer about a function's inlined code, if anything.
fn caveat(dwarf: &Dwarf<'_>, from: &Attribution, target: &Target) -> Option<String> {
    let reason = if let Some(problem) = &dwarf.problem {
        problem.clone()
    } else if !from.has_trees {
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
