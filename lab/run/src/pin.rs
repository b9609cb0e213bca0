//! Keeps measured processes on one processor.

use nix::sched::{CpuSet, sched_getaffinity, sched_setaffinity};
use nix::unistd::Pid;
use std::cell::Cell;

/// Processors this thread may run on, lowest first.
#[must_use]
pub fn allowed() -> Vec<u32> {
    let Ok(set) = sched_getaffinity(Pid::from_raw(0)) else {
        return Vec::new();
    };
    (0..CpuSet::count())
        .filter(|i| set.is_set(*i).unwrap_or(false))
        .map(|i| i as u32)
        .collect()
}

/// The processor to measure on: the last allowed one, since interrupts and
/// everybody else's defaults gather on the first. `None` when there is no
/// choice.
#[must_use]
pub fn choose() -> Option<u32> {
    let allowed = allowed();
    (allowed.len() > 1).then(|| allowed[allowed.len() - 1])
}

/// Pins the calling thread; children it starts inherit that. Returns whether
/// the kernel agreed.
pub fn this_thread(processor: u32) -> bool {
    let mut set = CpuSet::new();
    set.set(processor as usize).is_ok() && sched_setaffinity(Pid::from_raw(0), &set).is_ok()
}

/// Pins the calling thread to any of these; whether the kernel agreed.
pub(crate) fn this_thread_to(processors: &CpuSet) -> bool {
    sched_setaffinity(Pid::from_raw(0), processors).is_ok()
}

thread_local! {
    /// Where this thread might run before it was first pinned.
    static UNPINNED: Cell<Option<CpuSet>> = const { Cell::new(None) };
}

/// The processors that the calling thread might run on if it were not pinned to
/// another; `None` when it is not pinned or there are none.
pub(crate) fn elsewhere() -> Option<CpuSet> {
    let mut others = UNPINNED.get()?;
    for processor in allowed() {
        others.unset(processor as usize).ok()?;
    }
    (others != CpuSet::new()).then_some(others)
}

/// While it lives, the calling thread (and what it starts) is on one processor.
pub struct Pinned {
    before: Option<CpuSet>,
}

impl Pinned {
    /// Pins the calling thread until the value is dropped.
    #[must_use]
    pub fn to(processor: u32) -> Self {
        let before = sched_getaffinity(Pid::from_raw(0)).ok();
        UNPINNED.set(UNPINNED.get().or(before));
        this_thread(processor);
        Self { before }
    }
}

impl Drop for Pinned {
    fn drop(&mut self) {
        if let Some(before) = &self.before {
            let _ = sched_setaffinity(Pid::from_raw(0), before);
            if UNPINNED.get().as_ref() == Some(before) {
                UNPINNED.set(None);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pinned_thread_is_freed_again() {
        let before = allowed();
        {
            let _pinned = Pinned::to(before[0]);
            assert_eq!(allowed(), before[..1]);
        }
        assert_eq!(allowed(), before);
    }
}
