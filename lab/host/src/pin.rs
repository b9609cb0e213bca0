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

/// A processor for a short look at this machine: the last allowed one, since
/// interrupts and everybody else's defaults gather on the first. `None` when there is
/// no choice. Studies and benches take the quietest one instead (`neighbours`).
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
pub fn this_thread_to(processors: &CpuSet) -> bool {
    sched_setaffinity(Pid::from_raw(0), processors).is_ok()
}

/// What became of a thread's processor.
#[derive(Debug, PartialEq, Eq)]
pub enum Held {
    /// The thread is still on it, and on no other.
    Yes,
    /// It was moved, and is back: what ran meanwhile may have run elsewhere.
    Again,
    /// It cannot go back, for this reason.
    Lost(String),
}

/// Whether the calling thread, pinned to `processor` before, still is; if not, it is
/// pinned again. The kernel moves threads when a processor goes offline and when a
/// cpuset changes.
#[must_use]
pub fn hold(processor: u32) -> Held {
    if allowed() == [processor] {
        return Held::Yes;
    }
    let mut set = CpuSet::new();
    let pinned = set
        .set(processor as usize)
        .and_then(|()| sched_setaffinity(Pid::from_raw(0), &set));
    match pinned {
        Ok(()) => Held::Again,
        // What the kernel calls an invalid argument.
        Err(nix::errno::Errno::EINVAL) => {
            Held::Lost("it is offline, or no longer among those that karat may use".into())
        }
        Err(error) => Held::Lost(error.desc().into()),
    }
}

thread_local! {
    /// Where this thread might run before it was first pinned.
    static UNPINNED: Cell<Option<CpuSet>> = const { Cell::new(None) };
}

/// The processors that the calling thread might run on if it were not pinned to
/// another; `None` when it is not pinned or there are none.
pub fn elsewhere() -> Option<CpuSet> {
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
    fn a_processor_that_was_taken_away_is_noticed() {
        let before = allowed();
        let processor = before[0];
        let _pinned = Pinned::to(processor);
        assert_eq!(hold(processor), Held::Yes);
        // As a cpuset that changes does.
        let mut all = CpuSet::new();
        before.iter().for_each(|p| all.set(*p as usize).unwrap());
        assert!(this_thread_to(&all));
        if before.len() > 1 {
            assert_eq!(hold(processor), Held::Again);
        }
        assert_eq!(allowed(), [processor]);
        let last = CpuSet::count() as u32 - 1;
        assert!(!before.contains(&last), "a machine of {last} processors");
        let lost = hold(last);
        assert!(
            matches!(&lost, Held::Lost(why) if why.contains("offline")),
            "{lost:?}"
        );
        assert!(matches!(hold(1 << 20), Held::Lost(_)));
    }

    #[test]
    fn what_is_elsewhere_is_known_while_pinned() {
        let before = allowed();
        assert_eq!(elsewhere(), None);
        {
            let _pinned = Pinned::to(before[0]);
            let _twice = Pinned::to(before[0]);
            let others = elsewhere();
            let others = others.map_or(Vec::new(), |set| {
                (0..CpuSet::count() as u32)
                    .filter(|p| set.is_set(*p as usize).unwrap())
                    .collect()
            });
            assert_eq!(others, before[1..]);
        }
        assert_eq!(elsewhere(), None);
    }

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
