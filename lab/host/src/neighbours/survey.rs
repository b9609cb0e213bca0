//! A look at each processor that karat may use: which one is the quietest?

use super::{QUIET, width};
use crate::pin;
use std::time::{Duration, Instant};

/// Time on one processor before the next one's turn: shorter than neighbours hold on for.
const TURN: Duration = Duration::from_millis(5);

/// Looks between two pauses of a turn.
const PAUSE: Duration = Duration::from_micros(200);

/// What was seen of one processor.
#[derive(Clone, Debug, PartialEq)]
pub struct Survey {
    /// Its number.
    pub processor: u32,
    /// Seconds since the beginning, and additions a cycle.
    pub looks: Vec<(f64, f64)>,
}

impl Survey {
    /// The width that only the best looks reach: additions a cycle of a core that nobody
    /// else uses, if it was free at any time.
    #[must_use]
    pub fn free(&self) -> f64 {
        let mut widths: Vec<f64> = self.looks.iter().map(|l| l.1).collect();
        widths.sort_by(|a, b| b.total_cmp(a));
        widths.get(widths.len() / 200).copied().unwrap_or(0.0)
    }

    /// Share of looks that were quiet, on a core of this free width.
    #[must_use]
    pub fn quiet_share(&self, free: f64) -> f64 {
        let threshold = QUIET * free;
        let quiet = self.looks.iter().filter(|l| l.1 >= threshold).count();
        quiet as f64 / self.looks.len().max(1) as f64
    }
}

/// Looks at `processors` in turns for `time` in total, from this thread, which is where it
/// was again afterwards.
#[must_use]
pub fn survey(processors: &[u32], time: Duration) -> Vec<Survey> {
    let mut out: Vec<Survey> = processors
        .iter()
        .map(|&processor| Survey {
            processor,
            looks: Vec::new(),
        })
        .collect();
    let start = Instant::now();
    while start.elapsed() < time {
        for survey in &mut out {
            let _pinned = pin::Pinned::to(survey.processor);
            let turn = Instant::now();
            while turn.elapsed() < TURN {
                let width = width();
                survey.looks.push((start.elapsed().as_secs_f64(), width));
                let until = Instant::now() + PAUSE;
                while Instant::now() < until {
                    std::hint::spin_loop();
                }
            }
        }
    }
    out
}

/// The free width of the widest core, in additions a cycle. Processors of one kind share
/// it, though one that was shared all the time may not have shown it.
#[must_use]
pub fn free(surveys: &[Survey]) -> f64 {
    surveys.iter().map(Survey::free).fold(0.0, f64::max)
}

/// The processor with the largest share of quiet looks; among those that differ by less
/// than a tenth the last one, since interrupts and everybody else's defaults gather on the
/// first.
#[must_use]
pub fn quietest(surveys: &[Survey]) -> Option<u32> {
    let free = free(surveys);
    let share = |s: &Survey| s.quiet_share(free);
    let most = surveys.iter().map(share).fold(0.0, f64::max);
    let near = |s: &&Survey| share(s) > most - 0.1;
    surveys.iter().rfind(near).map(|s| s.processor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(processor: u32, widths: &[f64]) -> Survey {
        Survey {
            processor,
            looks: widths.iter().map(|w| (0.0, *w)).collect(),
        }
    }

    #[test]
    fn the_quieter_processor_is_taken_and_the_last_of_equals() {
        let busy = [3.0, 3.1, 5.0, 3.2];
        let free = [5.0, 5.1, 4.9, 3.2];
        assert_eq!(quietest(&[seen(0, &free), seen(1, &busy)]), Some(0));
        assert_eq!(quietest(&[seen(0, &busy), seen(1, &free)]), Some(1));
        assert_eq!(quietest(&[seen(0, &free), seen(1, &free)]), Some(1));
        // One that was busy all the time has not shown its free width.
        assert_eq!(quietest(&[seen(0, &free), seen(1, &[3.0; 4])]), Some(0));
        assert_eq!(quietest(&[]), None);
    }

    #[test]
    fn every_processor_is_looked_at_and_the_thread_is_free_again() {
        let before = pin::allowed();
        let surveys = survey(&before, Duration::from_millis(30));
        assert_eq!(pin::allowed(), before);
        assert_eq!(surveys.len(), before.len());
        assert!(surveys.iter().all(|s| s.looks.len() > 3));
    }
}
