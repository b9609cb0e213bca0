//! Several layouts: effects, intervals, spreads and error rates.

use karat_judge::{
    Arm, Decider, JudgeError, Judgement, Layout, Layouts, Outcome, Pair, Rng, judge_family,
    log_margin, student_critical,
};

use crate::neighbours::{Machine, TwoLevels};
use crate::simulate::{credible, credible_at_most, normal, uniform};

type Costs = Vec<(Vec<f64>, Vec<f64>)>;

/// Layouts of two builds that differ by `effect`; each binary has a layout error of its own
/// with standard deviation `spread`.
fn drawn(rng: &mut Rng, layouts: usize, rounds: usize, effect: f64, spread: f64) -> Costs {
    (0..layouts)
        .map(|_| {
            let [b, v] = [0.0, effect].map(|e| e + spread * normal(rng));
            let mut arm = |level: f64| -> Vec<f64> {
                (0..rounds)
                    .map(|_| {
                        let slow = if uniform(rng) < 0.1 { 1.5 } else { 1.0 };
                        slow * (level + 0.004 * normal(rng)).exp()
                    })
                    .collect()
            };
            (arm(b), arm(v))
        })
        .collect()
}

fn judged(costs: &Costs, margin: f64, alpha: f64) -> Outcome {
    let layouts = costs.iter().map(|(b, v)| Layout::new(b, v)).collect();
    let pair = Pair {
        layouts,
        margin: log_margin(margin),
    };
    judge_family(&[pair], 0, alpha).remove(0).expect("valid")
}

#[test]
fn the_estimate_is_the_mean_of_the_layouts() {
    let mut rng = Rng::new(71);
    let costs = drawn(&mut rng, 5, 12, 0.02, 0.01);
    let all = judged(&costs, 0.01, 0.05);
    let alone: Vec<f64> = costs
        .iter()
        .map(|one| judged(&vec![one.clone()], 0.01, 0.05).log_ratio)
        .collect();
    assert_eq!(all.layouts.effects, alone);
    let mean = alone.iter().sum::<f64>() / 5.0;
    assert!((all.log_ratio - mean).abs() < 1e-15);
    let sd = (alone.iter().map(|e| (e - mean).powi(2)).sum::<f64>() / 4.0).sqrt();
    assert!((all.layouts.sd.expect("five") - sd).abs() < 1e-15);
    assert_eq!(all.rounds, 60);

    // Layouts differ by far more than rounds: the interval is that of t.
    assert_eq!(all.layouts.decided_by, Decider::Between);
    let half = student_critical(0.05, 4) * sd / 5f64.sqrt();
    assert!((all.high - all.low - 2.0 * half).abs() < 0.05 * half);
}

#[test]
fn one_layout_says_nothing_about_others() {
    let mut rng = Rng::new(72);
    let one = judged(&drawn(&mut rng, 1, 20, 0.0, 0.0), 0.01, 0.05);
    assert_eq!(one.layouts.decided_by, Decider::Within);
    assert_eq!(one.layouts.effects, [one.log_ratio]);
    assert_eq!((one.layouts.sd, one.layouts.baseline), (None, None));
    assert_eq!(one.judgement, Judgement::Same);
}

#[test]
fn a_layout_effect_is_no_effect_of_the_build() {
    // One layout in a hundred rounds would call nearly all of these different.
    let (trials, alpha) = (600, 0.05);
    let mut rng = Rng::new(73);
    let (mut wrong, mut covered) = (0, 0);
    for _ in 0..trials {
        let costs = drawn(&mut rng, 4, 10, 0.0, 0.02);
        let o = judged(&costs, 0.001, alpha);
        wrong += usize::from(o.p <= alpha);
        covered += usize::from(o.low <= 0.0 && 0.0 <= o.high);
        assert_eq!(o.interval().excludes_zero(), o.p <= o.level);
    }
    println!("layout effects: {wrong} of {trials} different, {covered} cover");
    assert!(credible_at_most(wrong, trials, alpha), "{wrong}");
    assert!(credible(covered, trials, 1.0 - alpha), "{covered}");
}

#[test]
fn more_layouts_find_what_fewer_cannot() {
    let mut rng = Rng::new(74);
    let (mut few, mut many) = (0, 0);
    for _ in 0..60 {
        let costs = drawn(&mut rng, 16, 8, 0.02, 0.008);
        many += usize::from(judged(&costs, 0.01, 0.05).judgement == Judgement::Slower);
        let first = costs[..3].to_vec();
        few += usize::from(judged(&first, 0.01, 0.05).judgement == Judgement::Slower);
    }
    println!("+2 % found with 3 layouts {few}, with 16 {many} of 60");
    assert!(many >= 55 && few < 40, "{few} {many}");
}

#[test]
fn the_number_needed_decides() {
    let mut rng = Rng::new(75);
    let costs = drawn(&mut rng, 4, 10, 0.03, 0.02);
    let o = judged(&costs, 0.01, 0.01);
    assert_eq!(o.judgement, Judgement::Inconclusive);
    assert_eq!(o.rounds_needed, None, "rounds do not help");
    let needed = o.layouts.needed.expect("in reach");
    assert!((5..=400).contains(&needed), "{needed}");
    // By the formula: the t interval of so many layouts excludes 0, of one fewer not.
    let half =
        |n: u64| student_critical(0.01, n - 1) * o.layouts.sd.expect("several") / (n as f64).sqrt();
    assert!(half(needed) < o.log_ratio && half(needed - 1) >= o.log_ratio);
    // An estimate on the margin is out of reach.
    let far = judged(&costs, o.log_ratio.exp_m1() + 1e-6, 0.01);
    assert_eq!(far.layouts.needed, None);
}

/// Layouts of two builds beside neighbours, the baseline twice; the arms of a layout run side by
/// side, the layouts of a round in random order. `levels[layout]` are the log costs of both.
fn beside_neighbours(rng: &mut Rng, rounds: usize, levels: &[[f64; 2]]) -> Outcome {
    let levels_of = TwoLevels {
        share: 0.5,
        factor: 1.5,
        hold: 6.0,
        waits: true,
    };
    let mut machine = Machine::new(levels_of, rng);
    let mut arms = vec![[(); 3].map(|()| (Vec::new(), Vec::new())); levels.len()];
    let mut order: Vec<usize> = (0..levels.len()).collect();
    for _ in 0..rounds {
        rng.shuffle(&mut order);
        for &layout in &order {
            let mut three = [0, 1, 2];
            rng.shuffle(&mut three);
            for arm in three {
                let run = machine.run(rng);
                let level = levels[layout][usize::from(arm == 2)];
                arms[layout][arm].0.push(run.cost * level.exp());
                arms[layout][arm].1.push(run.quiet);
            }
        }
    }
    let layouts = arms.iter().map(|layout| {
        let [baseline, again, variant] = [0, 1, 2].map(|arm| Arm {
            costs: &layout[arm].0,
            places: None,
            quiet: Some(&layout[arm].1),
        });
        Layout {
            baseline,
            variant,
            again: Some(again),
            others: Vec::new(),
        }
    });
    let pair = Pair {
        layouts: layouts.collect(),
        margin: log_margin(0.01),
    };
    judge_family(&[pair], 0, 0.05).remove(0).expect("valid")
}

#[test]
fn a_tax_is_told_only_where_there_is_one() {
    let trials = 150;
    let mut rng = Rng::new(77);
    let mut told = [0; 2];
    for _ in 0..trials {
        let o = beside_neighbours(&mut rng, 14, &[[0.0; 2]; 6]);
        let both = [o.layouts.baseline, o.layouts.variant].map(|s| s.expect("several"));
        told[0] += usize::from(both[0].known);
        told[1] += usize::from(both[1].known);
    }
    println!(
        "a tax of none told of the baseline {}, of the variant {}",
        told[0], told[1]
    );
    assert!(
        told.iter().all(|t| credible_at_most(*t, trials, 0.05)),
        "{told:?}"
    );

    let (mut known, mut again) = ([0; 2], [0; 2]);
    for _ in 0..60 {
        let levels: Vec<[f64; 2]> = (0..8)
            .map(|_| [0.03 * normal(&mut rng), 0.03 * normal(&mut rng)])
            .collect();
        let two = [0, 1].map(|_| beside_neighbours(&mut rng, 14, &levels).layouts);
        for (arm, pick) in [|l: &Layouts| l.baseline, |l: &Layouts| l.variant]
            .into_iter()
            .enumerate()
        {
            let [first, second] = [pick(&two[0]), pick(&two[1])].map(|s| s.expect("several"));
            known[arm] += usize::from(first.known);
            again[arm] += usize::from(first.low <= second.sd && second.sd <= first.high);
        }
    }
    println!("3 % in eight layouts: known {known:?}, again {again:?} of 60");
    assert!(known.iter().all(|k| *k >= 50), "{known:?}");
    assert!(again.iter().all(|k| *k >= 55), "{again:?}");
}

#[test]
fn without_a_second_arm_no_tax_is_known() {
    let mut rng = Rng::new(78);
    let o = judged(&drawn(&mut rng, 8, 10, 0.0, 0.02), 0.01, 0.05);
    let baseline = o.layouts.baseline.expect("several");
    assert!(!baseline.known && baseline.sd > 0.005, "{baseline:?}");
}

#[test]
fn the_spread_leaves_noise_out() {
    let mut rng = Rng::new(76);
    let (mut none, mut some) = (0.0, 0.0);
    for _ in 0..40 {
        let quiet = judged(&drawn(&mut rng, 8, 10, 0.0, 0.0), 0.01, 0.05);
        none += quiet.layouts.baseline.expect("several").sd / 40.0;
        let spread = judged(&drawn(&mut rng, 8, 10, 0.0, 0.02), 0.01, 0.05);
        let variant = spread.layouts.variant.expect("several");
        assert!(variant.range > variant.sd);
        some += variant.sd / 40.0;
    }
    println!("spread 0: {none:.5}, spread 0.02: {some:.5}");
    assert!(none < 0.0012, "{none}");
    assert!((0.017..0.022).contains(&some), "{some}");
}

#[test]
fn bad_layouts() {
    let pair = Pair {
        layouts: Vec::new(),
        margin: 0.01,
    };
    assert_eq!(judge_family(&[pair], 0, 0.05), [Err(JudgeError::NoLayout)]);
    let costs = [1.0, 2.0, 3.0];
    let mut layout = Layout::new(&costs, &costs);
    for places in [&[0, 0, 0][..], &[0, 1]] {
        layout.baseline.places = Some(places);
        layout.variant.places = Some(&[1, 0, 0]);
        let pair = Pair {
            layouts: vec![layout.clone()],
            margin: 0.01,
        };
        assert_eq!(judge_family(&[pair], 0, 0.05), [Err(JudgeError::BadPlaces)]);
    }
}
