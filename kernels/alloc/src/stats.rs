//! What the allocator did so far, as values and as text.

use crate::config::{self, Source};
use crate::heap::Counters;
use crate::print::Out;
use crate::{arena, large, path, sys, thread};
use core::fmt::Write;
use core::sync::atomic::{AtomicU64, Ordering};

/// What the allocator did since the program started. Threads go on while it is collected,
/// so the figures are of slightly different moments. Calls that a magazine answers are
/// counted nowhere.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Statistics {
    /// Bytes of addresses reserved for small and medium objects.
    pub arena_bytes: u64,
    /// Bytes of it in slabs that are in use, full or not.
    pub arena_in_use: u64,
    /// The most that ever were.
    pub arena_most_in_use: u64,
    /// Objects with mappings of their own.
    pub large_objects: u64,
    /// Bytes of those mappings.
    pub large_bytes: u64,
    /// Bytes given back to the kernel, all in all.
    pub discarded_bytes: u64,
    /// Calls of the kernel that make or change mappings.
    pub mapping_calls: u64,
    /// Heaps: as many as threads ever were at once.
    pub heaps: u64,
    /// Times that a magazine was empty.
    pub refills: u64,
    /// Times that a magazine was full.
    pub flushes: u64,
    /// Objects that went back to their slabs.
    pub objects_given: u64,
    /// Those of them that went to another thread's slab.
    pub objects_remote: u64,
    /// Slabs taken from the arena.
    pub slabs_fresh: u64,
    /// Empty slabs given to the arena.
    pub slabs_retired: u64,
    /// Slabs taken over from threads that ended.
    pub slabs_stolen: u64,
    /// Times that empty slabs were looked for.
    pub ticks: u64,
}

/// The statistics of now.
#[must_use]
pub fn statistics() -> Statistics {
    let [arena_bytes, arena_in_use, arena_most_in_use] = arena::lock().bytes().map(|n| n as u64);
    let (large_objects, large_bytes) = large::totals();
    let mut all = Statistics {
        arena_bytes,
        arena_in_use,
        arena_most_in_use,
        large_objects: large_objects as u64,
        large_bytes: large_bytes as u64,
        discarded_bytes: arena::DISCARDED.load(Ordering::Relaxed),
        mapping_calls: sys::CALLS.load(Ordering::Relaxed),
        ..Statistics::default()
    };
    thread::each(|heap| {
        let Counters {
            refills,
            flushes,
            objects_given,
            objects_remote,
            slabs_fresh,
            slabs_retired,
            slabs_stolen,
            ticks,
        } = &heap.counters;
        let add = |sum: &mut u64, counter: &AtomicU64| *sum += counter.load(Ordering::Relaxed);
        all.heaps += 1;
        add(&mut all.refills, refills);
        add(&mut all.flushes, flushes);
        add(&mut all.objects_given, objects_given);
        add(&mut all.objects_remote, objects_remote);
        add(&mut all.slabs_fresh, slabs_fresh);
        add(&mut all.slabs_retired, slabs_retired);
        add(&mut all.slabs_stolen, slabs_stolen);
        add(&mut all.ticks, ticks);
    });
    all
}

impl Statistics {
    /// Names and values, in the order of the fields.
    #[must_use]
    pub const fn rows(&self) -> [(&'static str, u64); 16] {
        [
            ("arena_bytes", self.arena_bytes),
            ("arena_in_use", self.arena_in_use),
            ("arena_most_in_use", self.arena_most_in_use),
            ("large_objects", self.large_objects),
            ("large_bytes", self.large_bytes),
            ("discarded_bytes", self.discarded_bytes),
            ("mapping_calls", self.mapping_calls),
            ("heaps", self.heaps),
            ("refills", self.refills),
            ("flushes", self.flushes),
            ("objects_given", self.objects_given),
            ("objects_remote", self.objects_remote),
            ("slabs_fresh", self.slabs_fresh),
            ("slabs_retired", self.slabs_retired),
            ("slabs_stolen", self.slabs_stolen),
            ("ticks", self.ticks),
        ]
    }
}

/// Writes switches and statistics to standard error, as JSON if asked to.
pub fn print_statistics(json: bool) {
    // An `Out` refuses nothing.
    let _ = if json { write_json() } else { write_text() };
}

pub extern "C" fn at_exit() {
    match config::STATS.get() {
        0 => {}
        form => print_statistics(form == 2),
    }
}

fn profile_source() -> Source {
    if config::profiled() {
        Source::Environment
    } else {
        Source::Default
    }
}

/// A path as JSON; null for none. Bytes that are no UTF-8 become U+FFFD.
fn write_json_text(out: &mut Out, text: &[u8]) -> core::fmt::Result {
    if text.is_empty() {
        return write!(out, "null");
    }
    write!(out, "\"")?;
    for chunk in text.utf8_chunks() {
        for letter in chunk.valid().chars() {
            match letter {
                '"' | '\\' => write!(out, "\\{letter}")?,
                ..' ' => write!(out, "\\u{:04x}", letter as u32)?,
                _ => write!(out, "{letter}")?,
            }
        }
        if !chunk.invalid().is_empty() {
            write!(out, "\u{fffd}")?;
        }
    }
    write!(out, "\"")
}

fn process() -> i32 {
    // SAFETY: asks for a number.
    unsafe { libc::getpid() }
}

fn write_text() -> core::fmt::Result {
    let mut out = Out::new();
    writeln!(
        out,
        "karat-alloc {}, process {}",
        env!("CARGO_PKG_VERSION"),
        process()
    )?;
    for switch in config::SWITCHES {
        write!(out, "  KARAT_ALLOC_{}=", switch.name)?;
        match switch.word() {
            Some(word) => write!(out, "{word}")?,
            None => write!(out, "{}", switch.get())?,
        }
        writeln!(out, " ({})", switch.source().name())?;
    }
    write!(out, "  KARAT_ALLOC_{}=", config::HEAP_PROFILE)?;
    out.bytes(path::get().bytes());
    writeln!(out, " ({})", profile_source().name())?;
    for (name, value) in statistics().rows() {
        writeln!(out, "  {name} {value}")?;
    }
    Ok(())
}

fn write_json() -> core::fmt::Result {
    let mut out = Out::new();
    write!(
        out,
        "{{\"schema\":1,\"version\":\"{}\",\"process\":{},\"switches\":{{",
        env!("CARGO_PKG_VERSION"),
        process()
    )?;
    for (index, switch) in config::SWITCHES.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let source: Source = switch.source();
        write!(out, "{comma}\"{}\":{{\"value\":", switch.name)?;
        match switch.word() {
            Some(word) => write!(out, "\"{word}\"")?,
            None => write!(out, "{}", switch.get())?,
        }
        write!(out, ",\"source\":\"{}\"}}", source.name())?;
    }
    write!(out, ",\"{}\":{{\"value\":", config::HEAP_PROFILE)?;
    write_json_text(&mut out, path::get().bytes())?;
    write!(out, ",\"source\":\"{}\"}}", profile_source().name())?;
    write!(out, "}},\"statistics\":{{")?;
    for (index, (name, value)) in statistics().rows().iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        write!(out, "{comma}\"{name}\":{value}")?;
    }
    writeln!(out, "}}}}")
}
