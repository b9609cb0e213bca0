//! Who called: the return addresses on this thread's stack.

use core::ffi::c_void;
use core::sync::atomic::{AtomicUsize, Ordering};

/// Frames that are kept of a stack, from the inside.
pub const DEPTH: usize = 48;
/// Frames of the allocator itself, at most.
const OWN: usize = 16;

pub struct Frames {
    found: [usize; DEPTH + OWN],
    start: usize,
    end: usize,
}

impl Frames {
    pub fn all(&self) -> &[usize] {
        &self.found[self.start..self.end]
    }

    /// Not 0, as a key of a table.
    pub fn hash(&self) -> usize {
        // FNV-1a over words.
        let hash = self
            .all()
            .iter()
            .fold(0xcbf2_9ce4_8422_2325, |hash: u64, &frame| {
                (hash ^ frame as u64).wrapping_mul(0x0100_0000_01b3)
            });
        // The table's own hash drops the last bits.
        (hash << 4).max(16) as usize
    }
}

/// The callers of the allocator. Its own frames are left out where it is a library of its
/// own; in a program that it is linked into, they cannot be told from the program's.
pub fn callers() -> Frames {
    let mut frames = Frames {
        found: [0; DEPTH + OWN],
        start: 0,
        end: 0,
    };
    frames.end = walk(&mut frames.found);
    let (from, to) = library();
    let own = |address: &usize| (from..to).contains(address);
    frames.start = frames
        .all()
        .iter()
        .take_while(|address| own(address))
        .count();
    frames.end = frames.end.min(frames.start + DEPTH);
    frames
}

/// The C library's walk, which knows code without frame pointers by its unwind tables. Its
/// first call may allocate, and no lock of the allocator may be held.
#[cfg(target_env = "gnu")]
fn walk(frames: &mut [usize; DEPTH + OWN]) -> usize {
    // SAFETY: there is room for so many pointers, which are as large as addresses.
    let found = unsafe {
        libc::backtrace(
            frames.as_mut_ptr().cast::<*mut c_void>(),
            frames.len() as libc::c_int,
        )
    };
    found.max(0) as usize
}

/// Other C libraries have no such function: there is one call stack, without frames.
#[cfg(not(target_env = "gnu"))]
fn walk(_: &mut [usize; DEPTH + OWN]) -> usize {
    0
}

static FROM: AtomicUsize = AtomicUsize::new(usize::MAX);
static TO: AtomicUsize = AtomicUsize::new(0);

/// Addresses of the library that this code is in; none, if that is the program itself.
fn library() -> (usize, usize) {
    if FROM.load(Ordering::Relaxed) == usize::MAX {
        // SAFETY: the function stays, and needs no data.
        unsafe { libc::dl_iterate_phdr(Some(look), core::ptr::null_mut()) };
        FROM.fetch_min(usize::MAX - 1, Ordering::Relaxed);
    }
    (FROM.load(Ordering::Relaxed), TO.load(Ordering::Relaxed))
}

unsafe extern "C" fn look(
    object: *mut libc::dl_phdr_info,
    _: libc::size_t,
    _: *mut c_void,
) -> libc::c_int {
    // SAFETY: the C library gives a valid description with its headers.
    let (start, headers) = unsafe {
        let object = &*object;
        let headers = core::slice::from_raw_parts(object.dlpi_phdr, object.dlpi_phnum.into());
        (object.dlpi_addr as usize, headers)
    };
    // SAFETY: reads the auxiliary vector.
    let entry = unsafe { libc::getauxval(libc::AT_ENTRY) } as usize;
    let own = callers as *const () as usize;
    let ranges = headers
        .iter()
        .filter(|h| h.p_type == libc::PT_LOAD)
        .map(|header| {
            let from = start.wrapping_add(header.p_vaddr as usize);
            from..from.wrapping_add(header.p_memsz as usize)
        });
    if ranges.clone().any(|range| range.contains(&own))
        && !ranges.clone().any(|range| range.contains(&entry))
    {
        let from = ranges.clone().map(|range| range.start).min();
        let to = ranges.map(|range| range.end).max();
        TO.store(to.unwrap_or(0), Ordering::Relaxed);
        FROM.store(from.unwrap_or(0), Ordering::Relaxed);
        return 1;
    }
    0
}
