//! Code that a dispatcher may choose: what is above the baseline, and known kernels.

use crate::catalogue::Catalogue;
use karat_binary::BinaryError;
use karat_binary::addresses::starts;
use karat_binary::debug::debug_file::attach;
use karat_binary::names::readable;
use karat_binary::read::image::Image;
use karat_binary::read::symbols::Symbols;
use karat_flow::baseline::Baseline;
use karat_leaks::look;
use karat_model::catalogue::Library;
use karat_model::gates::WatchedKernel;
use karat_model::leaks::Reach;
use std::collections::{BTreeMap, BTreeSet};

/// A kernel, and whether an instruction is sure to begin at its address.
pub struct KernelSite {
    /// The kernel; nothing is said of this CPU or a run.
    pub kernel: WatchedKernel,
    /// Whether it may be watched.
    pub is_start: bool,
}

/// Functions above x86-64 that the leak check does not call leaks, and those that the
/// catalogue knows by name, by address. Of a file that was built for more than x86-64
/// as a whole only guarded ones and known ones: all others are no kernels.
///
/// # Errors
/// As [`audit`](crate::audit).
pub fn kernel_sites(
    bytes: &[u8],
    debug: Option<&[u8]>,
    catalogues: &[Library],
) -> Result<Vec<KernelSite>, BinaryError> {
    let baseline =
        Baseline::parse("x86-64").map_err(|error| BinaryError::malformed("the baseline", error))?;
    let catalogue = Catalogue::new(catalogues);
    // Neither needs the other, and of a large file each takes a second.
    let none = crate::Vouched::default();
    let (leaks, named) = std::thread::scope(|scope| {
        let named = scope.spawn(|| named(bytes, debug, &catalogue));
        let leaks = look(bytes, &baseline, &none, &none, usize::MAX, &|| {});
        let named = named.join();
        (
            leaks,
            named.unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        )
    });
    let (leaks, (starts, named)) = (leaks?.report, named?);
    let is_built_for_more = leaks.built_for.is_some();
    let mut found: BTreeMap<u64, WatchedKernel> = BTreeMap::new();
    for function in leaks.functions {
        let is_kernel = match function.reach {
            Reach::Guarded | Reach::Insufficient => true,
            Reach::Leak => false,
            Reach::Exported | Reach::Unknown | Reach::Unreferenced => !is_built_for_more,
        };
        // A dispatcher asks, and runs whatever the answer is.
        if is_kernel && !function.is_dispatcher {
            let kernel = WatchedKernel {
                function: function.function,
                address: function.address,
                needs: function.extensions,
                reach: Some(function.reach),
                ..WatchedKernel::default()
            };
            found.insert(function.address, kernel);
        }
    }
    for known in named {
        let title = known.known_as.clone();
        found.entry(known.address).or_insert(known).known_as = title;
    }
    // A part that is jumped into has no entry to watch.
    found.retain(|_, kernel| !kernel.function.contains(".cold"));
    let found = found.into_values().map(|kernel| KernelSite {
        is_start: starts.contains(&kernel.address),
        kernel,
    });
    Ok(found.collect())
}

/// Where instructions are sure to begin, and what the catalogue knows by name.
fn named(
    bytes: &[u8],
    debug: Option<&[u8]>,
    catalogue: &Catalogue<'_>,
) -> Result<(BTreeSet<u64>, Vec<WatchedKernel>), BinaryError> {
    let mut image = Image::parse_elf_x86(bytes, "the search for kernels")?;
    if let Some(debug) = debug {
        attach(&mut image, debug)?;
    }
    let mut out = Vec::new();
    for function in Symbols::read(&image).functions {
        let known = function
            .names
            .iter()
            .find_map(|name| Some((name, catalogue.known(name)?)));
        // Nobody asks for what every x86-64 CPU has.
        let known = known.filter(|(_, (_, isa))| !matches!(*isa, "sse" | "sse2"));
        if let Some((name, (title, isa))) = known {
            out.push(WatchedKernel {
                function: readable(name),
                address: function.address,
                needs: vec![isa.to_owned()],
                known_as: Some(title),
                ..WatchedKernel::default()
            });
        }
    }
    Ok((starts(&image), out))
}
