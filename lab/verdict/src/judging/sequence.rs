//! Judging while measuring goes on: look by look, until all is decided.
//!
//! What a look decides stays decided and need not be measured further, so that time goes to
//! what is open. The baseline's two arms are measured as long as anything of their workload
//! is: they vouch for all of it, so their word is that of the last look.

use super::claims::{Claim, Kind, of_view};
use super::columns::{Column, columns};
use super::{Judged, describe, layouts, oddities, views};
use karat_judge::{Outcome, judge_family};
use karat_model::measure::{Arm, Sample};
use karat_model::study::Workload;
use karat_model::units::Metric;
use karat_model::verdict::Judgement;

/// The claims of a study and what is known of them so far.
pub struct Sequence<'a> {
    workloads: &'a [Workload],
    arms: &'a [Arm],
    views: Vec<Judged>,
    claims: Vec<State>,
}

/// One claim.
struct State {
    claim: Claim,
    /// Whether a look has decided it, and how large the effect is known well enough.
    settled: bool,
    /// What its last look said.
    last: Option<Said>,
}

impl State {
    /// Whether a look has given it a word.
    fn is_decided(&self) -> bool {
        let word = self.last.as_ref().map(|said| said.comparison.judgement);
        word.is_some_and(|word| word != Judgement::Inconclusive)
    }
}

/// Whether the interval tells the size of an effect: each bound within half of it, or
/// within twice the margin. A word may be certain long before.
fn is_narrow(outcome: &Outcome, margin: f64) -> bool {
    let far = (outcome.high - outcome.log_ratio).max(outcome.log_ratio - outcome.low);
    far <= (outcome.log_ratio.abs() / 2.0).max(2.0 * karat_judge::log_margin(margin))
}

struct Said {
    outcome: Outcome,
    comparison: karat_model::verdict::Comparison,
    /// What each layout's arms cost: compared with, under judgement.
    costs: Vec<[f64; 2]>,
}

impl<'a> Sequence<'a> {
    /// All claims, none of them judged. `pairs` are names: (compared with, variant).
    pub fn new(
        workloads: &'a [Workload],
        metrics: &[Vec<Metric>],
        arms: &'a [Arm],
        pairs: &[(String, String)],
        layouts: &[u32],
    ) -> Self {
        let views = views(workloads, metrics);
        let of = |view: usize| of_view(view, arms, pairs, layouts[views[view].workload]);
        let all = (0..views.len()).flat_map(of);
        let claims = all
            .map(|claim| State {
                claim,
                settled: false,
                last: None,
            })
            .collect();
        Self {
            workloads,
            arms,
            views,
            claims,
        }
    }

    /// Whether an arm of a workload must be measured in the next round.
    pub fn needs(&self, workload: usize, arm: usize) -> bool {
        let mut open = self.open_of(workload).peekable();
        if open.peek().is_none() {
            return false;
        }
        let vouches = |s: &State| s.claim.kind == Kind::Again && s.claim.needs(arm);
        self.claims.iter().any(vouches) || open.any(|s| s.claim.needs(arm))
    }

    /// Whether anything of a workload is open.
    pub fn is_open(&self, workload: usize) -> bool {
        self.open_of(workload).next().is_some()
    }

    /// Whether anything at all is open.
    pub fn any_open(&self) -> bool {
        (0..self.workloads.len()).any(|w| self.is_open(w))
    }

    fn open_of(&self, workload: usize) -> impl Iterator<Item = &State> {
        let own = move |s: &&State| self.views[s.claim.view].workload == workload;
        self.claims.iter().filter(own).filter(|s| !s.settled)
    }

    /// Comparisons of the study that are open, and all of them; the baseline with itself is
    /// none.
    pub fn undecided(&self) -> (u32, u32) {
        let compares = |s: &&State| s.claim.kind != Kind::Again;
        let all = self.claims.iter().filter(compares);
        let open = all.clone().filter(|s| !s.is_decided()).count();
        (open as u32, all.count() as u32)
    }

    /// Gives up the views of which one run could not tell the metric: peak memory that is
    /// karat's own size, and not the program's, decides which runs tell it.
    fn drop_untold(&mut self, samples: &[Sample]) {
        let told = |view: &Judged| {
            let own = |s: &&Sample| s.workload as usize == view.workload;
            let value = |s: &Sample| s.values.get(view.value).copied();
            !samples
                .iter()
                .filter(own)
                .any(|s| value(s) == Some(Sample::NOT_TOLD))
        };
        for (i, view) in self.views.iter_mut().enumerate() {
            if view.told && !told(view) {
                view.told = false;
                self.claims.retain(|s| s.claim.view != i);
            }
        }
    }

    /// Judges what is open. `rounds` has the rounds of each workload.
    ///
    /// All comparisons of a study are one family, since a reader takes them in together;
    /// those of the baseline with itself are another.
    pub fn look(&mut self, samples: &[Sample], rounds: &[u32], alpha: f64) {
        self.drop_untold(samples);
        let columns = self.columns(samples, rounds);
        for again in [false, true] {
            let of_family = |s: &State| (s.claim.kind == Kind::Again) == again;
            let kept = self.claims.iter().filter(|s| {
                let same = |said: &Said| said.comparison.judgement == Judgement::Same;
                of_family(s) && s.settled && !again && s.last.as_ref().is_some_and(same)
            });
            let kept = kept.count();
            // The baseline with itself is judged at every look that measured it.
            let open: Vec<usize> = (0..self.claims.len())
                .filter(|i| {
                    let s = &self.claims[*i];
                    of_family(s) && (again || !s.settled)
                })
                .collect();
            let pairs: Vec<_> = open
                .iter()
                .map(|i| {
                    let claim = &self.claims[*i].claim;
                    let margin = self.workloads[self.views[claim.view].workload].margin;
                    claim.pair(&columns[claim.view], self.arms, margin)
                })
                .collect();
            let outcomes = judge_family(&pairs, kept, alpha);
            for (i, outcome) in open.into_iter().zip(outcomes) {
                // The judge refuses no complete rounds of positive values.
                let Ok(outcome) = outcome else { continue };
                let state = &mut self.claims[i];
                let view = &self.views[state.claim.view];
                let said = say(view, &state.claim, &columns[state.claim.view], outcome);
                let margin = self.workloads[view.workload].margin;
                state.settled = match said.comparison.judgement {
                    Judgement::Inconclusive => false,
                    // A baseline that differs from itself may still come round.
                    Judgement::Faster | Judgement::Slower => {
                        !again && is_narrow(&said.outcome, margin)
                    }
                    Judgement::Same => true,
                };
                // What a look has decided stays decided; more rounds only say it better.
                let lost = said.comparison.judgement == Judgement::Inconclusive;
                if again || !lost || !state.is_decided() {
                    state.last = Some(said);
                }
            }
        }
    }

    fn columns(&self, samples: &[Sample], rounds: &[u32]) -> Vec<Vec<Column>> {
        let of = |view: &Judged| {
            let metric = (view.value, &view.metric);
            let rounds = rounds[view.workload];
            columns(view.workload, metric, self.arms.len(), samples, rounds)
        };
        self.views.iter().map(of).collect()
    }

    /// Rounds more that most of a workload's open comparisons are expected to need, if rounds
    /// decide them: three in four. The last ones are those whose effect is near the margin;
    /// nobody waits for these.
    pub fn rounds_needed(&self, workload: usize, rounds: u32) -> Option<u64> {
        let needed = |s: &State| {
            let comparison = &s.last.as_ref()?.comparison;
            let total = comparison.rounds_needed?;
            Some(total.saturating_sub(u64::from(rounds)))
        };
        let mut needed: Vec<u64> = self.open_of(workload).filter_map(needed).collect();
        needed.sort_unstable();
        let last = needed.len().checked_sub(1)?;
        needed.get(last * 3 / 4).copied()
    }

    /// What is known of each view at the end.
    pub fn finish(self, samples: &[Sample], rounds: &[u32]) -> Vec<Judged> {
        let columns = self.columns(samples, rounds);
        let mut views = self.views;
        for (view, columns) in views.iter_mut().zip(&columns) {
            view.rounds = rounds[view.workload];
            view.oddities = oddities::of(self.arms, columns);
        }
        for state in self.claims {
            let Some(said) = state.last else { continue };
            let view = &mut views[state.claim.view];
            match state.claim.kind {
                Kind::Again => {
                    let different = matches!(
                        said.comparison.judgement,
                        Judgement::Faster | Judgement::Slower
                    );
                    view.again_passed = !different;
                    let bound = said.outcome.low.abs().max(said.outcome.high.abs());
                    view.noise_floor = bound.is_finite().then(|| bound.exp_m1());
                    view.again = Some(said.comparison);
                }
                Kind::Variant => {
                    layouts::note_tax(view, &state.claim, &said.outcome, &said.costs);
                    view.comparisons.push(said.comparison);
                }
                Kind::Pair => view.pairs.push(said.comparison),
            }
        }
        views.retain(|v| v.told);
        views
    }
}

/// An outcome in the evidence's terms.
fn say(view: &Judged, claim: &Claim, columns: &[Column], outcome: Outcome) -> Said {
    let cost = |arm: usize| karat_judge::faster_half_mean(&columns[arm].measured());
    let costs: Vec<[f64; 2]> = claim
        .layouts
        .iter()
        .map(|l| [cost(l.1), cost(l.2)])
        .collect();
    let mean = |side: usize| {
        let logs: f64 = costs.iter().map(|c| c[side].ln()).sum();
        view.metric.from_cost((logs / costs.len() as f64).exp())
    };
    let seeds = claim.layouts.iter().map(|l| l.0).collect();
    let mut comparison = describe::comparison(&claim.variant, &outcome, [mean(0), mean(1)], seeds);
    if claim.kind == Kind::Pair {
        comparison.against = Some(claim.against.clone());
    }
    Said {
        outcome,
        comparison,
        costs,
    }
}
