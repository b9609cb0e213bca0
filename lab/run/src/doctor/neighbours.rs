//! How often somebody else uses the processors' cores, and for how long at a time.

use super::{Fact, Health, fact};
use karat_host::neighbours::{QUIET, Survey, free, quietest, survey};
use karat_host::pin;
use karat_model::units;
use std::time::Duration;

/// Time to look at each processor.
const LOOK: Duration = Duration::from_millis(1500);

/// Processors that are looked at, at most: the last ones, on one of which runs are measured.
const MOST: usize = 4;

/// Share of shared looks below which a processor counts as karat's own.
const SELDOM: f64 = 0.02;

/// One fact for each processor, and one if they share a core with each other.
pub(super) fn facts() -> Vec<Fact> {
    let allowed = pin::allowed();
    let looked = &allowed[allowed.len().saturating_sub(MOST)..];
    let surveys = survey(looked, LOOK * looked.len() as u32);
    let free = free(&surveys);
    let chosen = quietest(&surveys);
    let mut out: Vec<Fact> = surveys
        .iter()
        .map(|s| describe(s, free, (chosen == Some(s.processor)) && looked.len() > 1))
        .collect();
    out.extend(super::siblings::fact_of(looked, free));
    out
}

fn describe(survey: &Survey, free: f64, chosen: bool) -> Fact {
    let shared = 1.0 - survey.quiet_share(free);
    let name = format!("processor {}", survey.processor);
    let taken = if chosen {
        "; measured runs go here"
    } else {
        ""
    };
    if shared < SELDOM {
        return fact(
            &name,
            format!("its core is karat's own{taken}"),
            Health::Good,
            "no neighbour was seen while karat looked",
            "",
        );
    }
    let (length, least) = spells(survey, free);
    let slower = 1.0 / least.max(0.1);
    let length = length.map_or_else(String::new, |s| {
        format!(", {} at a time", units::seconds(s))
    });
    fact(
        &name,
        format!("shared {:.0} % of the time{length}{taken}", shared * 100.0),
        if shared < 0.3 {
            Health::Fair
        } else {
            Health::Poor
        },
        &format!(
            "somebody else's program runs on the same core: code that fills its width then takes \
             up to {slower:.1} times as long; steal time and clock do not show it"
        ),
        "karat waits for quiet moments and repeats runs that were not; give it time, or another \
         machine",
    )
}

/// Seconds that the core stays shared at a time (the mean, over spells that ended), and the
/// tenth percentile of the width as a share of the free one.
fn spells(survey: &Survey, free: f64) -> (Option<f64>, f64) {
    let shared: Vec<bool> = survey.looks.iter().map(|l| l.1 < QUIET * free).collect();
    // A look that is alone is an interrupt's rather than a neighbour's.
    let (mut lengths, mut since) = (Vec::new(), None);
    for (i, look) in survey.looks.iter().enumerate() {
        let two = i + 1 < shared.len() && shared[i] == shared[i + 1];
        match (since, shared[i]) {
            (None, true) if two => since = Some(look.0),
            (Some(start), false) if two => {
                lengths.push(look.0 - start);
                since = None;
            }
            _ => {}
        }
    }
    let mean = lengths.iter().sum::<f64>() / lengths.len() as f64;
    let mut widths: Vec<f64> = survey.looks.iter().map(|l| l.1 / free).collect();
    widths.sort_by(f64::total_cmp);
    let least = widths.get(widths.len() / 10).copied().unwrap_or(1.0);
    ((!lengths.is_empty()).then_some(mean), least)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Looks a millisecond apart.
    fn looks(widths: &[f64]) -> Survey {
        Survey {
            processor: 3,
            looks: widths
                .iter()
                .enumerate()
                .map(|(i, w)| (i as f64 * 1e-3, *w))
                .collect(),
        }
    }

    #[test]
    fn a_shared_core_is_told_with_share_and_length() {
        let mut widths = vec![5.0; 40];
        widths[10..20].fill(3.0);
        let fact = describe(&looks(&widths), 5.0, true);
        assert_eq!(fact.health, Health::Fair);
        assert!(
            fact.value
                .starts_with("shared 25 % of the time, 10.0 ms at a time"),
            "{}",
            fact.value
        );
        assert!(fact.value.ends_with("measured runs go here"));
        assert!(fact.meaning.contains("1.7 times"), "{}", fact.meaning);
    }

    #[test]
    fn interrupts_are_no_neighbours() {
        let mut widths = vec![5.0; 200];
        widths[50] = 1.0;
        let fact = describe(&looks(&widths), 5.0, false);
        assert_eq!(fact.health, Health::Good);
        assert_eq!(spells(&looks(&widths), 5.0).0, None);
    }
}
