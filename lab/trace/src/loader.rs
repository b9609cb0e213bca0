//! The dynamic loader of a process: when it has mapped or unmapped a library.
//!
//! Loaders call an empty function before and after they change the list of libraries,
//! for debuggers to stop at (`r_brk` of `struct r_debug` in `<link.h>`). It is found by
//! its name among the loader's dynamic symbols: `_dl_debug_state` in glibc and musl.

use crate::machine::HERE;
use crate::maps::Mapping;
use crate::memory::Memory;
use object::{Object, ObjectSegment, ObjectSymbol};
use std::io;

/// `AT_BASE` of getauxval(3): where the loader is mapped.
const AT_BASE: u64 = 7;
/// `r_state` in `struct r_debug` of 64-bit systems: behind version, list and `r_brk`.
const STATE: u64 = 24;
/// `RT_CONSISTENT`: nothing is under way.
const CONSISTENT: u32 = 0;

/// The loader of one address space, with a breakpoint in it.
#[derive(Clone)]
pub(crate) struct Loader {
    /// Of the function that it calls.
    pub address: u64,
    pub original: [u8; 4],
    /// Of its `r_debug`, where it exports one.
    list: Option<u64>,
}

/// What was found of a process's loader.
pub(crate) enum Found {
    /// There is none: the program is static.
    None,
    /// It has no function to stop at.
    Unknown,
    /// A breakpoint is in it.
    Planted(Loader),
}

impl Loader {
    /// Finds the loader of a process and plants the breakpoint.
    pub(crate) fn plant(task: i32, memory: &Memory, maps: &[Mapping]) -> io::Result<Found> {
        let Some(base) = base(task)? else {
            return Ok(Found::None);
        };
        let is_it = |m: &&Mapping| (m.start..m.end).contains(&base);
        let Some(mapping) = maps.iter().find(is_it) else {
            return Ok(Found::Unknown);
        };
        let path = format!("/proc/{task}/root{}", mapping.path);
        let Ok(bytes) = std::fs::read(path) else {
            return Ok(Found::Unknown);
        };
        let Some((function, list)) = symbols(&bytes) else {
            return Ok(Found::Unknown);
        };
        let address = base.wrapping_add(function);
        let mut code = [0; 4];
        let code = &mut code[..HERE.trap.len()];
        memory.read(address, code)?;
        let Some(original) = HERE.plant(code, 0) else {
            return Ok(Found::Unknown);
        };
        memory.write(task, address, code)?;
        Ok(Found::Planted(Self {
            address,
            original,
            list: list.map(|list| base.wrapping_add(list)),
        }))
    }

    /// Whether the loader says that it is about to change the list of libraries.
    pub(crate) fn is_under_way(&self, memory: &Memory) -> bool {
        let mut state = [0; 4];
        self.list
            .is_some_and(|list| memory.read(list + STATE, &mut state).is_ok())
            && u32::from_ne_bytes(state) != CONSISTENT
    }

    /// Takes its breakpoint out.
    pub(crate) fn remove(&self, memory: &Memory, task: i32) -> io::Result<()> {
        memory.put_back(task, self.address, self.original)
    }
}

/// Where the kernel says that it has mapped a loader.
fn base(task: i32) -> io::Result<Option<u64>> {
    let bytes = std::fs::read(format!("/proc/{task}/auxv"))?;
    let word = |bytes: &[u8]| bytes.try_into().map_or(0, u64::from_ne_bytes);
    let mut pairs = bytes.chunks_exact(16);
    let base = pairs.find_map(|pair| {
        let (key, value) = pair.split_at(8);
        (word(key) == AT_BASE).then(|| word(value))
    });
    Ok(base.filter(|base| *base != 0))
}

/// Where the function is, and `r_debug`, from the start of the loader's image.
fn symbols(bytes: &[u8]) -> Option<(u64, Option<u64>)> {
    let file = object::File::parse(bytes).ok()?;
    let object::File::Elf64(_) = &file else {
        return None;
    };
    let image = file.segments().map(|s| s.address()).min()?;
    let find = |name: &str| {
        let symbol = file.dynamic_symbols().find(|s| s.name() == Ok(name));
        symbol.map(|s| s.address().wrapping_sub(image))
    };
    Some((find("_dl_debug_state")?, find("_r_debug")))
}
