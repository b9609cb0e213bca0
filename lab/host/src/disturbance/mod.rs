//! What happened on the measured processor during a run that was not the
//! program's doing.
//!
//! A rule that marks a sample must know neither its arm nor its value, or it
//! chooses the results. This one sees time that the hypervisor took, waits for a CPU
//! quota, pauses of the whole machine, and involuntary context switches, of all arms
//! together. What it is not blind to is
//! duration: a run that lasts twice as long meets twice as much of both, so among
//! arms that differ by a factor the slower is marked more often. That is a reason
//! to repeat marked rounds for all arms, not to drop samples of one.

mod pause;
mod quota;
mod steal;

pub use pause::clock_seconds;
pub(crate) use quota::group_folders;
pub use quota::{Quota, cpu_quota};
pub use steal::stolen_ticks;

use std::io;
use steal::TICK;

/// Fewer runs do not tell what is usual.
const FEWEST: usize = 8;

/// Deviations from the median beyond which a count is an outlier: Iglewicz and
/// Hoaglin, How to Detect and Handle Outliers (1993), section 3.3.
const FAR: f64 = 3.5;

/// Median absolute deviation of a normal distribution over its standard
/// deviation, inverted.
const MAD_TO_SIGMA: f64 = 1.4826;

/// What disturbed a run.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Disturbance {
    /// Seconds that the hypervisor gave to others while this processor had
    /// something to run, in steps of 0.01 s.
    pub steal: f64,
    /// Seconds for which a CPU quota stopped karat's control groups, on all
    /// processors together.
    pub throttled: f64,
    /// Seconds for which the machine was suspended or karat was stopped.
    pub paused: f64,
    /// Involuntary context switches of the program.
    pub switches: u64,
}

impl Disturbance {
    /// Whether the run was disturbed, `usual` being the same workload's runs of
    /// all arms so far: when any time was stolen, when it was throttled or
    /// paused, or when there were more involuntary switches than the median of `usual` plus 3.5 deviations.
    ///
    /// The deviation is 1.4826 times the median absolute deviation, and at least
    /// the root of the median (or 1): a count of independent events scatters as
    /// much, and the median deviation of small counts is often 0. With fewer than
    /// 8 runs in `usual`, switches are not judged.
    #[must_use]
    pub fn is_disturbed(&self, usual: &[Self]) -> bool {
        let gone = self.steal + self.throttled + self.paused;
        gone > 0.0 || bound(usual).is_some_and(|bound| self.switches as f64 > bound)
    }
}

/// The most involuntary switches that are usual.
fn bound(usual: &[Disturbance]) -> Option<f64> {
    if usual.len() < FEWEST {
        return None;
    }
    let counts: Vec<f64> = usual.iter().map(|d| d.switches as f64).collect();
    let median = karat_judge::median(&counts)?;
    let away: Vec<f64> = counts.iter().map(|c| (c - median).abs()).collect();
    let deviation = MAD_TO_SIGMA * karat_judge::median(&away)?;
    Some(median + FAR * deviation.max(median.max(1.0).sqrt()))
}

/// A look at the processor before a run.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    processor: Option<u32>,
    stolen: u64,
    throttled: f64,
    asleep: f64,
}

impl Watch {
    /// Looks at `processor`, or at all of them together when runs are not pinned.
    ///
    /// # Errors
    /// When /proc/stat cannot be read or does not know the processor.
    pub fn start(processor: Option<u32>) -> io::Result<Self> {
        let stolen = stolen_ticks(processor)?;
        Ok(Self {
            processor,
            stolen,
            throttled: quota::throttled_seconds(),
            asleep: pause::asleep_seconds(),
        })
    }

    /// What happened since, during a run with so many involuntary context `switches`;
    /// `overslept` are the seconds by which karat's own timers came too late meanwhile.
    ///
    /// # Errors
    /// When /proc/stat can no longer be read.
    pub fn end(self, switches: u64, overslept: f64) -> io::Result<Disturbance> {
        let ticks = stolen_ticks(self.processor)?.saturating_sub(self.stolen);
        Ok(Disturbance {
            steal: ticks as f64 * TICK,
            throttled: (quota::throttled_seconds() - self.throttled).max(0.0),
            paused: pause::of(pause::asleep_seconds() - self.asleep, overslept),
            switches,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_is_watched() {
        let processor = crate::pin::allowed()[0];
        for processor in [None, Some(processor)] {
            let watch = Watch::start(processor).unwrap();
            std::thread::sleep(std::time::Duration::from_millis(20));
            let found = watch.end(7, 0.0).unwrap();
            assert!((0.0..10.0).contains(&found.steal));
            assert_eq!(found.switches, 7);
        }
        assert!(Watch::start(Some(1 << 30)).is_err());
    }

    fn switches(counts: &[u64]) -> Vec<Disturbance> {
        let one = |switches: &u64| Disturbance {
            switches: *switches,
            ..Disturbance::default()
        };
        counts.iter().map(one).collect()
    }

    #[test]
    fn any_time_that_was_not_the_programs_to_use_disturbs() {
        let none = Disturbance::default();
        let (steal, throttled, paused) = (TICK, 1e-6, 1e-3);
        for one in [
            Disturbance { steal, ..none },
            Disturbance { throttled, ..none },
            Disturbance { paused, ..none },
        ] {
            assert!(one.is_disturbed(&[]), "{one:?}");
        }
        assert!(!Disturbance::default().is_disturbed(&[]));
    }

    #[test]
    fn more_switches_than_usual_disturb() {
        let disturbed = |count, usual: &[u64]| switches(&[count])[0].is_disturbed(&switches(usual));
        // Median 0: the bound is 3.5.
        assert!(!disturbed(3, &[0; 8]));
        assert!(disturbed(4, &[0; 8]));
        // One wild run among the usual ones does not raise it.
        assert!(disturbed(4, &[0, 0, 0, 0, 0, 0, 0, 900]));
        // Median 100, median deviation 10: 100 + 3.5 × 14.826 = 151.9.
        let usual = [90, 110, 90, 110, 90, 110, 100, 100, 130];
        assert!(!disturbed(151, &usual));
        assert!(disturbed(152, &usual));
        // Too few to say.
        assert!(!disturbed(900, &[0; 7]));
    }
}
