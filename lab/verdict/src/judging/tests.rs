use super::*;
use karat_model::measure::{Arm, Role, Sample};
use karat_model::study::metric::of_word;
use karat_model::study::{MetricPlan, Surroundings};
use karat_model::units::Better;
use karat_model::verdict::Judgement;

fn workload(better: Better) -> Workload {
    let cpu = of_word("cpu").unwrap();
    let metric = Metric {
        better,
        ..cpu.metric
    };
    Workload {
        name: "w".into(),
        why: String::new(),
        args: Vec::new(),
        run: Surroundings::default(),
        null_stdout: false,
        metrics: vec![MetricPlan { metric, ..cpu }],
        margin: 0.01,
        timeout: 1.0,
    }
}

fn arms(layouts: u64) -> Vec<Arm> {
    let each = [Role::Baseline, Role::Again, Role::Variant];
    (0..layouts)
        .flat_map(|layout| {
            each.map(|role| Arm {
                variant: if role == Role::Variant { "v" } else { "b" }.into(),
                role,
                layout,
            })
        })
        .collect()
}

/// Twenty rounds; the variant's value is 1.05 of the baseline's, times what
/// `layout` says for its layout.
fn study(better: Better, layouts: u64, layout: impl Fn(u64) -> f64) -> Judged {
    let arms = arms(layouts);
    let mut rng = karat_judge::Rng::new(1);
    let mut samples = Vec::new();
    for round in 0..20 {
        for (a, arm) in arms.iter().enumerate() {
            let factor = match arm.role {
                Role::Variant => 1.05 * layout(arm.layout),
                _ => 1.0,
            };
            let noise = 1.0 + rng.below(1000) as f64 * 1e-6;
            let sample = |attempt, value| Sample {
                round,
                position: a as u32 % 3,
                arm: a as u32,
                attempt,
                values: vec![value],
                ..Sample::default()
            };
            // An attempt that was made again does not count.
            samples.push(sample(0, 7.0 * noise));
            samples.push(sample(1, factor * noise));
        }
    }
    let workloads = [workload(better)];
    let metrics = [vec![workloads[0].metrics[0].metric.clone()]];
    let mut sequence = Sequence::new(&workloads, &metrics, &arms, &[], &[64]);
    sequence.look(&samples, &[20], 0.05);
    sequence.finish(&samples, &[20]).remove(0)
}

#[test]
fn more_throughput_is_faster_and_more_time_is_slower() {
    let up = study(Better::Higher, 1, |_| 1.0);
    let down = study(Better::Lower, 1, |_| 1.0);
    assert_eq!(up.comparisons[0].judgement, Judgement::Faster);
    assert_eq!(down.comparisons[0].judgement, Judgement::Slower);
    let speed = up.comparisons[0].speed;
    assert!((speed.estimate - 1.05).abs() < 0.001);
    assert!(speed.low.unwrap() < speed.estimate && speed.estimate < speed.high.unwrap());
    assert!((down.comparisons[0].speed.estimate - 1.0 / 1.05).abs() < 0.001);
    assert!((down.comparisons[0].variant_value - 1.05).abs() < 0.001);
    assert_eq!(up.comparisons[0].layouts, None);
    assert!(up.layout_tax.is_empty());
}

#[test]
fn the_baseline_is_itself() {
    let judged = study(Better::Higher, 1, |_| 1.0);
    assert!(judged.again_passed);
    assert_eq!(judged.again.unwrap().judgement, Judgement::Same);
    assert!(judged.noise_floor.unwrap() < 0.01);
}

#[test]
fn an_effect_that_layouts_share_is_found_and_one_that_they_scatter_is_not() {
    let shared = study(Better::Lower, 4, |_| 1.0);
    assert_eq!(shared.comparisons[0].judgement, Judgement::Slower);
    assert_eq!(
        shared.comparisons[0].layouts.as_ref().unwrap().speeds.len(),
        4
    );
    assert_eq!(shared.comparisons[0].rounds, 20, "not 4 x 20");
    // Half of the layouts gain what the others lose: no word for either.
    let scattered = study(Better::Lower, 4, |l| if l % 2 == 0 { 1.05 } else { 0.90 });
    let comparison = &scattered.comparisons[0];
    assert_eq!(comparison.judgement, Judgement::Inconclusive);
    assert!(comparison.layouts.as_ref().unwrap().between);
    let tax: Vec<&str> = scattered
        .layout_tax
        .iter()
        .map(|t| t.variant.as_str())
        .collect();
    assert_eq!(tax, ["b", "v"]);
    assert!(scattered.layout_tax[0].sd < 0.001 && scattered.layout_tax[1].sd > 0.05);
}

/// Two variants: `v` is slower by 5 %, `w` is the baseline's like and scatters by `noise`.
fn two_variants(noise: f64, rounds: u32) -> (Vec<Arm>, Vec<Sample>) {
    let mut arms = arms(1);
    arms.push(Arm {
        variant: "w".into(),
        role: Role::Variant,
        layout: 0,
    });
    let mut rng = karat_judge::Rng::new(3);
    let mut samples = Vec::new();
    for round in 0..rounds {
        for a in 0..4 {
            let unit = rng.below(1000) as f64 * 1e-3;
            let value = match a {
                2 => 1.05 + 0.001 * unit,
                3 => 1.0 - noise / 2.0 + noise * unit,
                _ => 1.0 + 0.001 * unit,
            };
            samples.push(Sample {
                round,
                position: a,
                arm: a,
                values: vec![value],
                quiet: true,
                ..Sample::default()
            });
        }
    }
    (arms, samples)
}

#[test]
fn what_is_decided_is_not_measured_and_its_word_stays() {
    let workloads = [workload(Better::Lower)];
    let metrics = [vec![workloads[0].metrics[0].metric.clone()]];
    let (arms, samples) = two_variants(0.05, 12);
    let pairs = [("v".to_owned(), "w".to_owned())];
    let mut sequence = Sequence::new(&workloads, &metrics, &arms, &pairs, &[1]);
    assert_eq!(sequence.undecided(), (3, 3), "two variants and a pair");
    assert!((0..4).all(|arm| sequence.needs(0, arm)));
    sequence.look(&samples, &[12], 0.02);
    // The baseline is SAME as itself and `v` is slower; `w` is open, by both comparisons.
    assert!((0..2).all(|arm| sequence.needs(0, arm)), "both vouch");
    assert!(sequence.needs(0, 3), "`w` is open");
    assert!(sequence.is_open(0) && sequence.any_open());
    let judged = sequence.finish(&samples, &[12]).remove(0);
    let word = |name: &str| {
        let own = judged.comparisons.iter().find(|c| c.variant == name);
        own.map(|c| c.judgement)
    };
    assert_eq!(word("v"), Some(Judgement::Slower));
    assert_eq!(word("w"), Some(Judgement::Inconclusive));
    assert_eq!(judged.pairs[0].against.as_deref(), Some("v"));

    let (arms, samples) = two_variants(0.001, 12);
    let mut sequence = Sequence::new(&workloads, &metrics, &arms, &[], &[1]);
    sequence.look(&samples, &[12], 0.02);
    assert_eq!(sequence.undecided().0, 0);
    assert!(!(0..4).any(|arm| sequence.needs(0, arm)), "nothing is open");
}

#[test]
fn a_word_without_a_size_is_measured_on() {
    let workloads = [workload(Better::Lower)];
    let metrics = [vec![workloads[0].metrics[0].metric.clone()]];
    let (arms, mut samples) = two_variants(0.001, 8);
    // `v` is slower in all of eight rounds, by 5 % to 60 %.
    for s in samples.iter_mut().filter(|s| s.arm == 2) {
        s.values[0] = 1.05 + 0.08 * f64::from(s.round);
    }
    let mut sequence = Sequence::new(&workloads, &metrics, &arms, &[], &[1]);
    sequence.look(&samples, &[8], 0.05);
    let open = sequence.needs(0, 2);
    let judged = sequence.finish(&samples, &[8]).remove(0);
    let v = judged
        .comparisons
        .iter()
        .find(|c| c.variant == "v")
        .unwrap();
    assert_eq!(v.judgement, Judgement::Slower, "{v:?}");
    assert!(open, "its size is not known yet: {:?}", v.speed);
}
