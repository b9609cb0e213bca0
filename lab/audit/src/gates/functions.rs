//! All functions of a file, with the places to watch to see whether they run.

use super::bodies::instructions_of;
use karat_binary::BinaryError;
use karat_binary::addresses::starts;
use karat_binary::debug::debug_file::attach;
use karat_binary::names::crate_of;
use karat_binary::read::format::Arch;
use karat_binary::read::image::Image;
use karat_binary::read::symbols::Symbols;
use karat_model::gates::WatchedFunction;
use std::collections::{BTreeMap, HashMap};

/// What compilers put behind the name of the part of a function that is moved away
/// from it. It is entered by jumps, anywhere.
const COLD: &str = ".cold";

/// A function, and the instructions one of which runs if it does.
pub struct FunctionSites {
    /// The function; nothing is said of whether it ran.
    pub function: WatchedFunction,
    /// First its entry, then what else may be entered. Empty where no instruction is
    /// sure to begin.
    pub sites: Vec<u64>,
}

/// The functions of a linked ELF file, by address. `debug` is the separate debug file,
/// whose symbols are read too.
///
/// # Errors
/// As [`audit`](crate::audit).
pub fn function_sites(
    bytes: &[u8],
    debug: Option<&[u8]>,
) -> Result<Vec<FunctionSites>, BinaryError> {
    let mut image = Image::parse(bytes)?;
    if !matches!(image.file, object::File::Elf64(_)) || image.is_relocatable() {
        return Err(BinaryError::NotFor {
            what: "watching functions",
            needs: "a linked ELF file",
            seen: image.format,
        });
    }
    if let Some(debug) = debug {
        attach(&mut image, debug)?;
    }
    let symbols = Symbols::read(&image);
    let starts = starts(&image);
    let mut ranges: HashMap<u32, Vec<(u64, u64)>> = HashMap::new();
    for range in &symbols.ranges {
        let own = ranges.entry(range.value).or_default();
        own.push((range.start, range.end));
    }
    let owners = owners(&symbols);
    let mut out: BTreeMap<u32, FunctionSites> = BTreeMap::new();
    for (number, function) in symbols.functions.iter().enumerate() {
        let number = number as u32;
        let Some(own) = ranges.get(&number) else {
            continue;
        };
        let cold = function.names.iter().any(|name| name.contains(COLD));
        let sites = match (starts.contains(&function.address), cold) {
            (true, true) => all(&image, own),
            (true, false) => vec![function.address],
            (false, _) => Vec::new(),
        };
        let owner = owners.get(&number).copied().unwrap_or(number);
        let of = out
            .entry(owner)
            .or_insert_with(|| describe(&symbols, owner));
        of.function.bytes += own.iter().map(|(start, end)| end - start).sum::<u64>();
        if owner == number {
            of.sites.splice(0..0, sites);
        } else {
            of.sites.extend(sites);
        }
    }
    let mut out: Vec<FunctionSites> = out.into_values().collect();
    out.sort_by_key(|found| found.function.address);
    Ok(out)
}

fn describe(symbols: &Symbols<'_>, number: u32) -> FunctionSites {
    let function = &symbols.functions[number as usize];
    FunctionSites {
        function: WatchedFunction {
            name: symbols.readable_name(number),
            address: function.address,
            krate: function.names.iter().find_map(|name| crate_of(name)),
            ..WatchedFunction::default()
        },
        sites: Vec::new(),
    }
}

/// The function of each cold part, where its name leaves no doubt.
fn owners(symbols: &Symbols<'_>) -> HashMap<u32, u32> {
    let mut by_name: HashMap<&str, Option<u32>> = HashMap::new();
    let all = || (0_u32..).zip(&symbols.functions);
    for (number, function) in all() {
        for name in &function.names {
            let first = by_name.entry(name).or_insert(Some(number));
            // Static functions of two files may share a name.
            *first = first.filter(|other| *other == number);
        }
    }
    let part = |name: &&str| name.find(COLD).map(|at| name.split_at(at).0.to_owned());
    all()
        .filter_map(|(number, function)| {
            let name = function.names.iter().find_map(part)?;
            let owner = by_name.get(name.as_str()).copied().flatten()?;
            Some((number, owner))
        })
        .collect()
}

/// All instructions of ranges.
fn all(image: &Image<'_>, ranges: &[(u64, u64)]) -> Vec<u64> {
    match image.arch {
        Arch::X86_64 => instructions_of(image, ranges),
        Arch::Aarch64 => ranges
            .iter()
            .flat_map(|(start, end)| (*start..*end).step_by(4))
            .collect(),
    }
}
