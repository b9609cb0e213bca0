//! Whether karat's own processors are threads of one core: then what karat does on one of
//! them slows what it measures on the other.
//!
//! The others are kept busy and idle in turn, so that neighbours, who come and go, meet both
//! alike. A core that is kept busy from within is never quiet. So one quiet turn beside busy
//! processors says that they are not siblings; to say that they are takes so many turns
//! that neighbours alone would hardly have disturbed every busy one and spared the idle ones.

use super::{Fact, Health, fact};
use karat_host::neighbours::{QUIET, width};
use karat_host::pin;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// Turns with the others busy, and as many with them idle.
const TURNS: u32 = 25;

/// Length of a turn, and the pause before it in which the others take notice.
const TURN: Duration = Duration::from_millis(12);
const PAUSE: Duration = Duration::from_millis(3);

/// Quiet looks in a row that make a turn quiet: one may be a mistake of the clock.
const IN_A_ROW: u32 = 5;

/// Probability of a false "siblings" that is allowed.
const ERROR: f64 = 1e-3;

/// Turns in which the core was quiet, of [`TURNS`] each.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Quiet {
    idle: u32,
    busy: u32,
}

/// What can be said.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Answer {
    Siblings,
    Apart,
    NotKnown,
}

impl Quiet {
    fn answer(self) -> Answer {
        if self.busy > 0 {
            return Answer::Apart;
        }
        // The chance that neighbours, who spare this share of turns, spare none of the busy.
        let spared = f64::from(self.idle) / f64::from(TURNS);
        if (1.0 - spared).powi(TURNS as i32) < ERROR {
            Answer::Siblings
        } else {
            Answer::NotKnown
        }
    }
}

/// What is told of the last of `processors`, whose free width is `free`; nothing if it is
/// alone.
pub(super) fn fact_of(processors: &[u32], free: f64) -> Option<Fact> {
    let (last, others) = processors.split_last()?;
    if others.is_empty() {
        return None;
    }
    Some(match look(*last, others, QUIET * free).answer() {
        Answer::Siblings => fact(
            "own siblings",
            format!("processor {last} shares its core with another of these"),
            Health::Poor,
            "karat's own work, and whatever else runs there, slows what is measured",
            "keep the other processors idle while karat measures",
        ),
        Answer::Apart => fact(
            "own siblings",
            format!("work on the others leaves processor {last} alone"),
            Health::Good,
            "",
            "",
        ),
        Answer::NotKnown => fact(
            "own siblings",
            "not known: neighbours are there nearly always".into(),
            Health::Fair,
            "karat cannot tell whether its processors share a core with each other",
            "",
        ),
    })
}

const IDLE: u8 = 0;
const BUSY: u8 = 1;
const DONE: u8 = 2;

fn look(processor: u32, others: &[u32], threshold: f64) -> Quiet {
    let order = AtomicU8::new(IDLE);
    std::thread::scope(|scope| {
        for other in others {
            let order = &order;
            scope.spawn(move || {
                pin::this_thread(*other);
                loop {
                    match order.load(Ordering::Relaxed) {
                        BUSY => drop(std::hint::black_box(width())),
                        DONE => break,
                        _ => std::thread::sleep(PAUSE / 10),
                    }
                }
            });
        }
        let _pinned = pin::Pinned::to(processor);
        let mut quiet = Quiet { idle: 0, busy: 0 };
        for _ in 0..TURNS {
            for what in [IDLE, BUSY] {
                order.store(what, Ordering::Relaxed);
                std::thread::sleep(PAUSE);
                let found = u32::from(is_quiet(threshold));
                *(if what == BUSY {
                    &mut quiet.busy
                } else {
                    &mut quiet.idle
                }) += found;
            }
        }
        order.store(DONE, Ordering::Relaxed);
        quiet
    })
}

/// Whether the core was quiet at any time of a turn.
fn is_quiet(threshold: f64) -> bool {
    let (start, mut in_a_row) = (Instant::now(), 0);
    while start.elapsed() < TURN {
        in_a_row = if width() >= threshold {
            in_a_row + 1
        } else {
            0
        };
        if in_a_row == IN_A_ROW {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn siblings_are_told_only_beside_idle_turns_that_were_quiet() {
        let quiet = |idle, busy| Quiet { idle, busy }.answer();
        assert_eq!(quiet(25, 0), Answer::Siblings);
        assert_eq!(quiet(7, 0), Answer::Siblings);
        assert_eq!(quiet(5, 0), Answer::NotKnown);
        assert_eq!(quiet(0, 0), Answer::NotKnown);
        assert_eq!(quiet(25, 1), Answer::Apart);
        assert_eq!(quiet(0, 3), Answer::Apart);
    }
}
