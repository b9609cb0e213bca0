//! What the evidence says about why a variant differs, and no more than that.

use crate::judging::QuietRuns;
use karat_model::audit::{BinaryAudit, Survival};
use karat_model::layout::Pilot;
use karat_model::measure::ClockReading;
use karat_model::study::Expect;
use karat_model::units::change;
use karat_model::verdict::{Cause, Comparison, Judgement, Stance};

/// Instruction mixes that overlap this much are the same code for all we know.
const SAME_MIX: f64 = 0.98;

/// A change of clock explains a change of speed if it is at least this share.
const EXPLAINS: f64 = 0.5;

/// Normal quantile of a two-sided level of 5 %.
const NORMAL_95: f64 = 1.96;

/// Quiet runs of each arm from which on they say something by themselves.
const QUIET_RUNS: usize = 6;

/// Mnemonics named in a sentence.
const NAMED: usize = 4;

/// What is known of a workload beside its comparisons.
pub struct Known<'a> {
    /// The study's name of the workload.
    pub workload: &'a str,
    /// The baseline's name.
    pub baseline: &'a str,
    /// The clock round its runs, one reading for each variant.
    pub clock: &'a [ClockReading],
    /// The functions that the study expects.
    pub expect: &'a [Expect],
    /// The pilot on layouts, if there was one.
    pub pilot: Option<&'a Pilot>,
    /// Whether the core was probed for neighbours.
    pub probed: bool,
}

/// The causes to state for one comparison on one workload.
pub fn of(
    comparison: &Comparison,
    known: &Known<'_>,
    quiet: &QuietRuns,
    audit: Option<&BinaryAudit>,
    baseline_audit: Option<&BinaryAudit>,
) -> Vec<Cause> {
    if !matches!(comparison.judgement, Judgement::Faster | Judgement::Slower) {
        return Vec::new();
    }
    let mut out = vec![
        clock_cause(comparison, known.baseline, known.clock),
        neighbours_cause(comparison, known.probed.then_some(quiet)),
    ];
    for item in known
        .expect
        .iter()
        .filter(|e| e.workloads.iter().any(|w| w == known.workload))
    {
        let find = |audit: Option<&BinaryAudit>| -> Option<Survival> {
            audit?
                .survival
                .iter()
                .find(|s| s.function == item.function)
                .cloned()
        };
        if let (Some(here), Some(there)) = (find(audit), find(baseline_audit)) {
            out.push(code_cause(&here, &there));
        }
    }
    out.push(layout_cause(comparison, known.pilot));
    out
}

/// A difference that quiet runs show as well is not the neighbours'.
fn neighbours_cause(comparison: &Comparison, quiet: Option<&QuietRuns>) -> Cause {
    let cause = |stance, text| Cause {
        kind: "neighbours".into(),
        stance,
        text,
    };
    let Some(quiet) = quiet else {
        return cause(
            Stance::Unknown,
            "runs were not pinned to a processor, so nobody knows who else used their core".into(),
        );
    };
    let [baseline, variant] = quiet.runs;
    let runs = format!(
        "{variant} of {} runs were quiet at both ends, {baseline} of {} of the baseline's",
        quiet.of[1], quiet.of[0]
    );
    let Some(speed) = quiet.speed.filter(|_| baseline.min(variant) >= QUIET_RUNS) else {
        return cause(
            Stance::Unknown,
            format!("{runs}: too few to see the change without neighbours"),
        );
    };
    let share = speed.ln() / comparison.speed.estimate.ln();
    let here = change(speed);
    if share >= EXPLAINS {
        cause(
            Stance::Excluded,
            format!("{runs}; among these the change is {here}: neighbours do not make it"),
        )
    } else {
        cause(
            Stance::Consistent,
            format!(
                "{runs}; among these the change is {here} and not {}: the rest goes with \
                 neighbours",
                change(comparison.speed.estimate)
            ),
        )
    }
}

/// A difference that holds over several layouts, or that is far larger than what
/// layouts do to the baseline, is not one of layout.
fn layout_cause(comparison: &Comparison, pilot: Option<&Pilot>) -> Cause {
    let cause = |stance, text| Cause {
        kind: "layout".into(),
        stance,
        text,
    };
    let speed = change(comparison.speed.estimate);
    if let Some(layouts) = &comparison.layouts {
        let of = |pick: fn(f64, f64) -> f64, from| {
            change(layouts.speeds.iter().copied().fold(from, pick))
        };
        return cause(
            Stance::Excluded,
            format!(
                "measured in {} layouts, in each of which the change lies between {} and {}: the \
                 {speed} holds over layouts",
                layouts.speeds.len(),
                of(f64::min, f64::INFINITY),
                of(f64::max, 0.0)
            ),
        );
    }
    match pilot {
        // The difference of two layouts has the root of two times the spread.
        Some(p) if NORMAL_95 * 2_f64.sqrt() * p.sd_high < comparison.speed.estimate.ln().abs() => {
            cause(
                Stance::Excluded,
                format!(
                    "{} layouts of the baseline differ by {:.2} % (standard deviation, at most \
                     {:.2} %): too little to make the {speed}",
                    p.layouts,
                    p.sd * 100.0,
                    p.sd_high * 100.0
                ),
            )
        }
        Some(p) => cause(
            Stance::Unknown,
            format!(
                "layouts of the baseline differ by {:.2} % (standard deviation): one layout of \
                 each variant cannot tell such a difference from the {speed}",
                p.sd * 100.0
            ),
        ),
        None => cause(
            Stance::Unknown,
            "one section order per variant was measured: where code happens to lie in memory is \
             part of this difference, by an unknown amount"
                .into(),
        ),
    }
}

fn clock_cause(comparison: &Comparison, baseline: &str, clock: &[ClockReading]) -> Cause {
    let find = |name: &str| clock.iter().find(|c| c.variant == name);
    let (Some(here), Some(there)) = (find(&comparison.variant), find(baseline)) else {
        return Cause {
            kind: "clock".into(),
            stance: Stance::Unknown,
            text: "the core clock could not be read while both ran".into(),
        };
    };
    let (during, after) = (here.during / there.during, here.after / there.after);
    // A clock that stays lowered for the tens of microseconds between what runs and the reading
    // shows both while it runs and right after each measured run. One that comes back sooner
    // is not seen (docs/decisions/206-causes.md).
    let share = |ratio: f64| ratio.ln() / comparison.speed.estimate.ln();
    let share = share(during).min(share(after));
    let figures = format!(
        "core clock {:.3} GHz while it ran ({} against the baseline), {:.3} GHz right after the \
         measured runs ({})",
        here.during,
        change(during),
        here.after,
        change(after)
    );
    let speed = change(comparison.speed.estimate);
    let (stance, text) = if share >= EXPLAINS {
        (
            Stance::Consistent,
            format!("{figures}: a change of clock goes with the {speed} of speed"),
        )
    } else {
        (
            Stance::Excluded,
            format!(
                "{figures}: no clock that stays lowered for some microseconds makes the {speed}"
            ),
        )
    };
    Cause {
        kind: "clock".into(),
        stance,
        text,
    }
}

fn code_cause(here: &Survival, baseline: &Survival) -> Cause {
    let name = &here.function;
    let cause = |stance, text| Cause {
        kind: "code".into(),
        stance,
        text,
    };
    match here.similarity {
        None => cause(
            Stance::Unknown,
            format!("{name}: no code was found to compare with the baseline's"),
        ),
        Some(s) if s >= SAME_MIX => cause(
            Stance::Unknown,
            format!(
                "{name}: {:.0} % of the instruction mix is the baseline's, so another choice of \
                 instructions in it is not the cause; their order and surroundings may be",
                s * 100.0
            ),
        ),
        Some(s) => cause(
            Stance::Consistent,
            format!(
                "{name} was compiled to other instructions ({:.0} % of the mix is the baseline's): {}",
                s * 100.0,
                difference(here, baseline)
            ),
        ),
    }
}

/// The largest changes of the mix: `+192 vprolq, −142 vpshufb`.
fn difference(here: &Survival, baseline: &Survival) -> String {
    let count = |s: &Survival, m: &str| s.mix.get(m).map_or(0, |c| *c as i64);
    let mut all: Vec<(&str, i64)> = here
        .mix
        .keys()
        .chain(baseline.mix.keys())
        .map(|m| (m.as_str(), count(here, m) - count(baseline, m)))
        .filter(|(_, d)| *d != 0)
        .collect();
    all.sort_by_key(|(m, d)| (-d.abs(), *m));
    all.dedup();
    let words: Vec<String> = all
        .iter()
        .take(NAMED)
        .map(|(m, d)| format!("{}{} {m}", if *d > 0 { "+" } else { "−" }, d.abs()))
        .collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::audit::{Census, SurvivalState};
    use karat_model::layout::{LayoutEffects, PilotDecision};
    use karat_model::verdict::SpeedRatio;

    fn comparison(estimate: f64) -> Comparison {
        Comparison {
            variant: "native".into(),
            against: None,
            rounds: 20,
            speed: SpeedRatio {
                estimate,
                low: None,
                high: None,
            },
            baseline_value: 1.0,
            variant_value: estimate,
            p: 0.001,
            p_adjusted: 0.001,
            level: 0.05,
            detectable: None,
            judgement: Judgement::Slower,
            rounds_needed: None,
            layouts: None,
            split: None,
            causes: Vec::new(),
        }
    }

    fn reading(variant: &str, during: f64) -> ClockReading {
        ClockReading {
            variant: variant.into(),
            before: 4.0,
            during,
            after: during,
            samples: 9,
        }
    }

    #[test]
    fn throttling_is_claimed_only_when_the_clock_moved_as_far() {
        let steady = [reading("base", 4.0), reading("native", 3.99)];
        let cause = clock_cause(&comparison(0.90), "base", &steady);
        assert_eq!(cause.stance, Stance::Excluded);
        let throttled = [reading("base", 4.0), reading("native", 3.6)];
        let cause = clock_cause(&comparison(0.90), "base", &throttled);
        assert_eq!(cause.stance, Stance::Consistent);
        // Low in the one probe, steady after all measured runs: a chance dip.
        let mut dip = throttled.clone();
        dip[1].after = 4.0;
        let cause = clock_cause(&comparison(0.90), "base", &dip);
        assert_eq!(cause.stance, Stance::Excluded);
        let cause = clock_cause(&comparison(0.90), "base", &[]);
        assert_eq!(cause.stance, Stance::Unknown);
    }

    #[test]
    fn neighbours_are_excluded_only_by_enough_quiet_runs_that_show_the_change() {
        let quiet = |runs, speed| QuietRuns {
            runs,
            of: [40, 40],
            speed,
        };
        let stance = |quiet: Option<&QuietRuns>| neighbours_cause(&comparison(0.90), quiet).stance;
        assert_eq!(stance(Some(&quiet([20, 20], Some(0.91)))), Stance::Excluded);
        // Less than half of the change, none of it, or the opposite.
        for speed in [0.96, 1.0, 1.05] {
            let seen = quiet([20, 20], Some(speed));
            assert_eq!(stance(Some(&seen)), Stance::Consistent, "{speed}");
        }
        // Too few on one side, none at all, or nobody looked.
        let few = [QUIET_RUNS - 1, 40];
        assert_eq!(stance(Some(&quiet(few, Some(0.90)))), Stance::Unknown);
        assert_eq!(stance(Some(&quiet([20, 20], None))), Stance::Unknown);
        assert_eq!(stance(None), Stance::Unknown);
    }

    #[test]
    fn layout_is_excluded_by_layouts_or_by_a_pilot_that_finds_none() {
        let one = comparison(0.98);
        assert_eq!(layout_cause(&one, None).stance, Stance::Unknown);
        let pilot = |sd| Pilot {
            workload: "w".into(),
            layouts: 4,
            rounds: 10,
            sd,
            sd_low: 0.0,
            sd_high: 2.0 * sd,
            decision: PilotDecision::Insensitive,
            needed: None,
        };
        assert_eq!(
            layout_cause(&one, Some(&pilot(0.001))).stance,
            Stance::Excluded
        );
        assert_eq!(
            layout_cause(&one, Some(&pilot(0.01))).stance,
            Stance::Unknown
        );
        let mut several = one;
        several.layouts = Some(LayoutEffects {
            seeds: vec![0, 1, 2],
            speeds: vec![0.97, 0.98, 0.99],
            sd: 0.01,
            between: true,
            needed: None,
        });
        let cause = layout_cause(&several, None);
        assert_eq!(cause.stance, Stance::Excluded);
        assert!(
            cause.text.contains("between −3.0 % and −1.0 %"),
            "{}",
            cause.text
        );
    }

    #[test]
    fn changed_code_is_named_by_its_largest_changes() {
        let survival = |mix: &[(&str, u64)], similarity| Survival {
            function: "f".into(),
            state: SurvivalState::Present,
            inlined_into: Vec::new(),
            census: Census::default(),
            mix: mix.iter().map(|(m, c)| ((*m).to_owned(), *c)).collect(),
            similarity,
            caveat: None,
        };
        let before = survival(&[("vpshufb", 142), ("vpaddq", 300)], None);
        let after = survival(&[("vprolq", 192), ("vpaddq", 298)], Some(0.5));
        let cause = code_cause(&after, &before);
        assert_eq!(cause.stance, Stance::Consistent);
        assert!(
            cause.text.contains("+192 vprolq, −142 vpshufb, −2 vpaddq"),
            "{}",
            cause.text
        );
    }
}
