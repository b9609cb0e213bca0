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
