//! What happened on the measured processor during a run that was not the
//! program's doing.
//!
//! A rule that marks a sample must know neither its arm nor its value, or it
//! chooses the results. This one sees time that the hypervisor took and
//! involuntary context switches, of all arms together. What it is not blind to is
//! duration: a run that lasts twice as long meets twice as much of both, so among
//! arms that differ by a factor the slower is marked more often. That is a reason
//! to repeat marked rounds for all arms, not to drop samples of one.

use std::fs::File;
use std::io::{self, Read};

/// Seconds of a tick in /proc/stat: USER_HZ is 100 on every architecture that
/// karat runs on, whatever the kernel's own rate (proc_stat(5)).
const TICK: f64 = 0.01;

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
    /// Involuntary context switches of the program.
    pub switches: u64,
}

impl Disturbance {
    /// Whether the run was disturbed, `usual` being the same workload's runs of
    /// all arms so far: when any time was stolen, or when there were more
    /// involuntary switches than the median of `usual` plus 3.5 deviations.
    ///
    /// The deviation is 1.4826 times the median absolute deviation, and at least
    /// the root of the median (or 1): a count of independent events scatters as
    /// much, and the median deviation of small counts is often 0. With fewer than
    /// 8 runs in `usual`, switches are not judged.
    #[must_use]
    pub fn is_disturbed(&self, usual: &[Self]) -> bool {
        self.steal > 0.0 || bound(usual).is_some_and(|bound| self.switches as f64 > bound)
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
}

impl Watch {
    /// Looks at `processor`, or at all of them together when runs are not pinned.
    ///
    /// # Errors
    /// When /proc/stat cannot be read or does not know the processor.
    pub fn start(processor: Option<u32>) -> io::Result<Self> {
        let stolen = stolen_ticks(processor)?;
        Ok(Self { processor, stolen })
    }

    /// What happened since, with the program's involuntary switches.
    ///
    /// # Errors
    /// When /proc/stat can no longer be read.
    pub fn end(self, switches: u64) -> io::Result<Disturbance> {
        let ticks = stolen_ticks(self.processor)?.saturating_sub(self.stolen);
        Ok(Disturbance {
            steal: ticks as f64 * TICK,
            switches,
        })
    }
}

/// Ticks that the hypervisor took from a processor since the start of the
/// system, or from all of them.
///
/// # Errors
/// When /proc/stat cannot be read or has no such processor.
pub(crate) fn stolen_ticks(processor: Option<u32>) -> io::Result<u64> {
    stolen_in(&mut File::open("/proc/stat")?, processor)
}

/// Reads no further than the line that is asked for: the line of the interrupts
/// behind the processors' has thousands of numbers on large machines.
fn stolen_in(stat: &mut impl Read, processor: Option<u32>) -> io::Result<u64> {
    let name = match processor {
        Some(number) => format!("cpu{number}"),
        None => "cpu".to_owned(),
    };
    let mut text = Vec::new();
    let mut begin = 0;
    loop {
        let mut buffer = [0; 4096];
        let got = match stat.read(&mut buffer) {
            Ok(got) => got,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        text.extend_from_slice(&buffer[..got]);
        while let Some(length) = text[begin..].iter().position(|b| *b == b'\n') {
            let line = String::from_utf8_lossy(&text[begin..begin + length]);
            begin += length + 1;
            let mut words = line.split_whitespace();
            let first = words.next().unwrap_or_default();
            if first == name {
                // user nice system idle iowait irq softirq steal
                let steal = words.nth(7).and_then(|w| w.parse().ok());
                return steal.ok_or_else(|| missing(&name));
            }
            if !first.starts_with("cpu") {
                return Err(missing(&name));
            }
        }
        if got == 0 {
            return Err(missing(&name));
        }
    }
}

fn missing(name: &str) -> io::Error {
    io::Error::new(
        io::ErrorKind::InvalidData,
        format!("/proc/stat has no steal time for `{name}`"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Gives a few bytes at a time, and fails behind the processors.
    struct Slow<'a>(&'a [u8], usize);

    impl Read for Slow<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Err(io::Error::other("read too far"));
            }
            let n = self.1.min(self.0.len());
            let (now, later) = self.0.split_at(n);
            buffer[..n].copy_from_slice(now);
            self.0 = later;
            Ok(n)
        }
    }

    const STAT: &[u8] = b"cpu  9 9 9 9 9 9 9 30 0 0\ncpu0 1 1 1 1 1 1 1 10 0 0\n\
        cpu1 1 1 1 1 1 1 1 20 0 0\ncpu10 1 1 1 1 1 1 1 7 0 0\nintr 5\n";

    #[test]
    fn the_line_of_the_processor_is_found_in_pieces_of_any_size() {
        for size in [1, 7, 64, 4096] {
            let read = |processor| stolen_in(&mut Slow(STAT, size), processor);
            assert_eq!(read(None).unwrap(), 30);
            assert_eq!(read(Some(0)).unwrap(), 10);
            assert_eq!(read(Some(1)).unwrap(), 20);
            assert_eq!(read(Some(10)).unwrap(), 7);
            let error = read(Some(2)).unwrap_err().to_string();
            assert!(error.contains("`cpu2`"), "{error}");
        }
        assert!(stolen_in(&mut &b"cpu 1 2 3 4\n"[..], None).is_err());
        assert!(stolen_in(&mut &b""[..], None).is_err());
    }

    #[test]
    fn this_machine_is_watched() {
        let processor = crate::pin::allowed()[0];
        for processor in [None, Some(processor)] {
            let found = Watch::start(processor).unwrap().end(3).unwrap();
            assert!((0.0..10.0).contains(&found.steal));
            assert_eq!(found.switches, 3);
        }
        assert!(Watch::start(Some(1 << 30)).is_err());
    }

    fn switches(counts: &[u64]) -> Vec<Disturbance> {
        let steal = 0.0;
        let one = |switches: &u64| Disturbance {
            steal,
            switches: *switches,
        };
        counts.iter().map(one).collect()
    }

    #[test]
    fn any_stolen_time_disturbs() {
        let stolen = Disturbance {
            steal: TICK,
            switches: 0,
        };
        assert!(stolen.is_disturbed(&[]));
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
