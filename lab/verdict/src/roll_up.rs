//! From the words on a variant's workloads to the verdict on the variant.

use karat_model::verdict::{Judgement, SpeedRatio, Verdict};

/// The verdict on several judged speeds, each with its margin as a ratio.
///
/// - NO-GO: any SLOWER.
/// - GO: at least one FASTER, and each excludes a loss beyond its margin.
/// - SAME: all SAME, and at least one.
/// - INCONCLUSIVE: everything else, which includes none at all.
#[must_use]
pub fn roll_up(parts: &[(Judgement, SpeedRatio, f64)]) -> Verdict {
    let any = |word| parts.iter().any(|(judgement, ..)| *judgement == word);
    let all = |word| parts.iter().all(|(judgement, ..)| *judgement == word);
    let excludes_losses = || {
        let mut parts = parts.iter();
        parts.all(|(_, speed, margin)| speed.excludes_loss(*margin))
    };
    if any(Judgement::Slower) {
        Verdict::NoGo
    } else if any(Judgement::Faster) && excludes_losses() {
        Verdict::Go
    } else if !parts.is_empty() && all(Judgement::Same) {
        Verdict::Same
    } else {
        Verdict::Inconclusive
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A judged speed with a margin of 1 %.
    fn part(judgement: Judgement, low: Option<f64>) -> (Judgement, SpeedRatio, f64) {
        let speed = SpeedRatio {
            estimate: 1.0,
            low,
            high: None,
        };
        (judgement, speed, 0.01)
    }

    #[test]
    fn words_make_a_verdict() {
        let faster = part(Judgement::Faster, Some(1.02));
        let slower = part(Judgement::Slower, Some(0.9));
        let same = part(Judgement::Same, Some(0.995));
        let perhaps_faster = part(Judgement::Inconclusive, Some(0.995));
        let perhaps_slower = part(Judgement::Inconclusive, Some(0.985));
        let unknown = part(Judgement::Inconclusive, None);

        assert_eq!(roll_up(&[faster]), Verdict::Go);
        assert_eq!(roll_up(&[faster, same, perhaps_faster]), Verdict::Go);
        assert_eq!(roll_up(&[faster, perhaps_slower]), Verdict::Inconclusive);
        assert_eq!(roll_up(&[faster, unknown]), Verdict::Inconclusive);
        assert_eq!(roll_up(&[faster, faster, slower]), Verdict::NoGo);
        assert_eq!(roll_up(&[slower, unknown]), Verdict::NoGo);
        assert_eq!(roll_up(&[same, same]), Verdict::Same);
        assert_eq!(roll_up(&[same, perhaps_faster]), Verdict::Inconclusive);
        assert_eq!(roll_up(&[]), Verdict::Inconclusive);
    }
}
