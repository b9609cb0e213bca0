//! Evidence like that of a study of BLAKE2 dispatch: nine builds, four
//! workloads, forty rounds, seeded noise.

use crate::sample_audit::audit;
use karat_model::evidence::*;
use karat_model::finding::{Finding, Severity};
use karat_model::machine::Machine;
use karat_model::measure::{Arm, ClockReading, Neighbours, Role, Sample};
use karat_model::units::{Better, Metric};
use karat_model::verdict::*;

/// A variant's name, its flags, and its true speed on each workload.
pub const VARIANTS: [(&str, &str, [f64; 4]); 9] = [
    ("default", "", [1.0, 1.0, 1.0, 1.0]),
    (
        "x86-64-v3",
        "-Ctarget-cpu=x86-64-v3",
        [0.9991, 1.006, 1.108, 1.021],
    ),
    (
        "native",
        "-Ctarget-cpu=native",
        [0.956, 1.251, 0.519, 1.089],
    ),
    (
        "native-no-avx512f",
        "-Ctarget-cpu=native -Ctarget-feature=-avx512f",
        [0.966, 1.022, 1.236, 1.028],
    ),
    (
        "native-no-avx512vl",
        "-Ctarget-cpu=native -Ctarget-feature=-avx512vl",
        [0.874, 1.019, 1.229, 1.041],
    ),
    (
        "native-no-slp",
        "-Ctarget-cpu=native -Cno-vectorize-slp",
        [0.957, 1.249, 1.237, 1.087],
    ),
    (
        "native-no-lto",
        "-Ctarget-cpu=native",
        [0.9535, 1.238, 0.53, 1.062],
    ),
    (
        "native-oncelock",
        "-Ctarget-cpu=native",
        [0.958, 1.25, 0.521, 1.0885],
    ),
    (
        "native-per-crate",
        "-Ctarget-cpu=native",
        [1.0006, 1.252, 1.0008, 1.0895],
    ),
];

/// Workloads: name, baseline value, unit, noise.
pub const WORKLOADS: [(&str, f64, &str, f64); 4] = [
    ("blake2b-64k", 1.121, "GiB/s", 0.0025),
    ("blake2b-many", 3.08, "GiB/s", 0.004),
    ("keccak256", 0.378, "GiB/s", 0.003),
    ("sr25519-verify", 21.4, "kverify/s", 0.006),
];

const ROUNDS: u32 = 40;
const MARGIN: f64 = 0.01;

/// A generator for noise that is the same everywhere.
pub struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(2).wrapping_add(0x9e37_79b9_7f4a_7c15))
    }

    /// Evenly in 0 to 1.
    pub fn unit(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Nearly normal, with spread 1.
    fn bell(&mut self) -> f64 {
        (0..12).map(|_| self.unit()).sum::<f64>() - 6.0
    }
}

/// The evidence of the sample study.
pub fn sample() -> Evidence {
    let arms = arms();
    let samples = samples(&arms);
    let workloads: Vec<WorkloadEvidence> = (0..WORKLOADS.len())
        .map(|w| workload(w, &arms, &samples))
        .collect();
    let mut variants: Vec<VariantEvidence> = (0..VARIANTS.len())
        .map(|v| variant(v, &workloads))
        .collect();
    variants.push(left_out());
    Evidence {
        schema: SCHEMA,
        study: study(),
        run: run(),
        machine: machine(),
        parity: parity(&variants),
        variants,
        layouts: Default::default(),
        arms,
        workloads,
        samples,
        neighbours: Some(Neighbours {
            free: 5.9,
            quiet: 5.3,
            quiet_share: 0.62,
            waited: 4.1,
            repeated: 38,
            kept: 480,
            kept_quiet: 455,
        }),
        findings: findings(),
        verdict: StudyVerdict {
            verdict: Some(Verdict::Go),
            withheld: None,
            about: Some("native-per-crate".into()),
            recommended: Some("native-per-crate".into()),
            summary: "native-per-crate: faster on blake2b-many, sr25519-verify; the same on \
                      blake2b-64k, keccak256."
                .into(),
        },
        costs: vec![
            cost("build", 171.0, "s", "whole study from clean under 8 min"),
            cost("audit", 231.0, "MB/s", "at least 150 MB of code per second"),
            cost("measure", 148.0, "s", ""),
            cost("overhead per process", 0.00083, "s", "under 2 ms"),
        ],
    }
}

fn cost(name: &str, value: f64, unit: &str, bound: &str) -> Cost {
    Cost {
        met: (!bound.is_empty()).then_some(true),
        name: name.into(),
        value,
        unit: unit.into(),
        bound: bound.into(),
    }
}

fn study() -> StudyInfo {
    StudyInfo {
        name: "blake2-dispatch".into(),
        title: "Which build flags make the hashes faster, and which quietly make them slower?"
            .into(),
        description: "Nine builds of one program that hashes with blake2b_simd, Keccak and \
                      friends: what target-cpu=native gains, what it costs, and a build that \
                      keeps the gain."
            .into(),
        margin: MARGIN,
        source: "name = \"blake2-dispatch\"\nmargin = 0.01\n\n[[variant]]\nname = \"default\"\n\
                 baseline = true\n\n[[variant]]\nname = \"native\"\n\
                 rustflags = [\"-Ctarget-cpu=native\"]\n"
            .into(),
    }
}

fn run() -> RunInfo {
    RunInfo {
        id: "2026-09-14T10-22-31-blake2-dispatch".into(),
        karat: "0.1.0".into(),
        started: "2026-09-14T10:22:31Z".into(),
        seconds: 341.2,
        seed: 20_260_914,
        smoke: false,
        resumed: 0,
        continues: None,
        time: Time {
            promised: 300.0,
            used: 187.0,
            stretch: 0,
            more: None,
            resume: "karat run studies/blake2-dispatch --resume".into(),
        },
        pinned: Some(1),
    }
}

fn machine() -> Machine {
    Machine {
        cpu: "AMD EPYC 9454P 48-Core Processor".into(),
        cpu_id: "AuthenticAMD 25/17/1".into(),
        isas: "adx aes avx avx2 avx512bw avx512cd avx512dq avx512f avx512ifma avx512vbmi avx512vl \
               bmi1 bmi2 f16c fma gfni lzcnt movbe pclmulqdq popcnt rdrand sha sse4.2 vaes \
               vpclmulqdq"
            .split_whitespace()
            .map(str::to_owned)
            .collect(),
        processors: 2,
        memory_bytes: 8 << 30,
        kernel: "Linux 6.8.0".into(),
        hypervisor: Some("KVM".into()),
        governor: None,
        turbo: None,
        smt: Some(true),
        perf_counters: false,
        rustc: Some("rustc 1.95.0 (2026-04-14)".into()),
        cc: Some("gcc (Debian 12.2.0-14) 12.2.0".into()),
    }
}

fn arms() -> Vec<Arm> {
    let mut arms: Vec<Arm> = VARIANTS
        .iter()
        .enumerate()
        .map(|(v, (name, ..))| Arm {
            variant: (*name).into(),
            role: if v == 0 {
                Role::Baseline
            } else {
                Role::Variant
            },
            layout: 0,
        })
        .collect();
    let again = Arm {
        variant: "default".into(),
        role: Role::Again,
        layout: 0,
    };
    arms.insert(1, again);
    arms
}

/// The true speed of an arm: the second one is the baseline again.
fn speed(arm: usize, workload: usize) -> f64 {
    VARIANTS[if arm < 2 { 0 } else { arm - 1 }].2[workload]
}

fn samples(arms: &[Arm]) -> Vec<Sample> {
    let mut noise = Noise::new(7);
    let mut out = Vec::new();
    let mut at = 0.4;
    for round in 0..ROUNDS {
        for (w, (_, base, _, spread)) in WORKLOADS.iter().enumerate() {
            let first = (noise.unit() * arms.len() as f64) as usize;
            for position in 0..arms.len() {
                let arm = (first + position * 3) % arms.len();
                let drift = 1.0 - 0.006 * (f64::from(round) / f64::from(ROUNDS));
                let switched = noise.unit() < 0.06;
                let hit = if switched {
                    0.97 - 0.05 * noise.unit()
                } else {
                    1.0
                };
                let speed = speed(arm, w) * drift * hit * (1.0 + spread * noise.bell());
                let wall = 0.075 / speed.max(0.6);
                out.push(Sample {
                    workload: w as u32,
                    round,
                    position: position as u32,
                    arm: arm as u32,
                    values: vec![base * speed],
                    disturbed: switched,
                    wall,
                    cpu: wall * 0.99,
                    clock: 4.0,
                    switches: u64::from(switched) * (1 + (noise.unit() * 3.0) as u64),
                    at,
                    ..Sample::default()
                });
                at += wall + 0.004;
            }
        }
    }
    out
}

fn faster_half(samples: &[Sample], workload: usize, arm: usize) -> f64 {
    let mut values: Vec<f64> = samples
        .iter()
        .filter(|s| s.workload as usize == workload && s.arm as usize == arm)
        .map(|s| s.values[0])
        .collect();
    values.sort_by(|a, b| b.total_cmp(a));
    values.truncate(values.len() / 2);
    values.iter().sum::<f64>() / values.len() as f64
}

fn compare(w: usize, arm: usize, name: &str, samples: &[Sample]) -> Comparison {
    let half = WORKLOADS[w].3 * 1.3;
    let base = faster_half(samples, w, 0);
    let here = faster_half(samples, w, arm);
    let estimate = here / base;
    let (low, high) = (estimate * (1.0 - half), estimate * (1.0 + half));
    let judgement = if low > 1.0 && estimate >= 1.0 + MARGIN {
        Judgement::Faster
    } else if high < 1.0 && estimate <= 1.0 - MARGIN {
        Judgement::Slower
    } else if low > 1.0 - MARGIN && high < 1.0 + MARGIN {
        Judgement::Same
    } else {
        Judgement::Inconclusive
    };
    let far = matches!(judgement, Judgement::Faster | Judgement::Slower);
    Comparison {
        variant: name.into(),
        against: None,
        rounds: ROUNDS,
        speed: SpeedRatio {
            estimate,
            low: Some(low),
            high: Some(high),
        },
        baseline_value: base,
        variant_value: here,
        p: if far { 0.0001 } else { 0.31 },
        p_adjusted: if far { 0.0008 } else { 0.62 },
        level: 0.025,
        detectable: Some(half * 1.2),
        judgement,
        rounds_needed: (judgement == Judgement::Inconclusive).then_some(160),
        layouts: None,
        split: None,
        causes: if far { causes(name, w) } else { Vec::new() },
    }
}

fn causes(name: &str, w: usize) -> Vec<Cause> {
    let clock = Cause {
        kind: "clock".into(),
        stance: Stance::Excluded,
        text: "The core ran at 3.72 GHz during this variant and 3.72 GHz during the baseline; \
               the difference of the clock is at most 0.2 %."
            .into(),
    };
    let code = Cause {
        kind: "code".into(),
        stance: Stance::Consistent,
        text: format!(
            "The instruction mix of the {} code differs from the baseline's: {}.",
            WORKLOADS[w].0,
            if name == "x86-64-v3" {
                "vpermq 160→114"
            } else {
                "vprolq 0→192, vpshufb 142→0"
            }
        ),
    };
    let layout = Cause {
        kind: "layout".into(),
        stance: Stance::Unknown,
        text: "One layout was measured.".into(),
    };
    vec![clock, code, layout]
}

fn workload(w: usize, arms: &[Arm], samples: &[Sample]) -> WorkloadEvidence {
    let (name, _, unit, spread) = WORKLOADS[w];
    let mut noise = Noise::new(100 + w as u64);
    let mut reading = |variant: &str| ClockReading {
        variant: variant.into(),
        before: 3.72 + 0.004 * noise.unit(),
        during: 3.718 + 0.006 * noise.unit(),
        after: 3.72 + 0.004 * noise.unit(),
        samples: 25,
    };
    WorkloadEvidence {
        name: name.into(),
        run: w as u32,
        value: 0,
        why: "one of the four hot paths of the node".into(),
        args: vec!["bench".into(), name.into()],
        metric: Metric {
            name: "throughput".into(),
            unit: unit.into(),
            better: Better::Higher,
        },
        rounds: ROUNDS,
        looks: [(10, 0.01, 5), (20, 0.015, 2), (40, 0.025, 1)]
            .map(|(rounds, alpha, undecided)| Look {
                rounds,
                seconds: f64::from(rounds) * 4.5,
                alpha,
                undecided,
            })
            .into(),
        again: Some(Comparison {
            layouts: None,
            split: None,
            causes: Vec::new(),
            ..compare(w, 1, "default", samples)
        }),
        again_passed: true,
        noise_floor: Some(spread * 1.5),
        comparisons: arms
            .iter()
            .enumerate()
            .filter(|(_, a)| a.role == Role::Variant)
            .map(|(arm, a)| compare(w, arm, &a.variant, samples))
            .collect(),
        pairs: Vec::new(),
        layout_tax: Vec::new(),
        oddities: Vec::new(),
        clock: VARIANTS.iter().map(|(name, ..)| reading(name)).collect(),
    }
}

fn variant(v: usize, workloads: &[WorkloadEvidence]) -> VariantEvidence {
    let (name, flags, _) = VARIANTS[v];
    let of = |word: Judgement| -> Vec<&Comparison> {
        workloads
            .iter()
            .flat_map(|w| &w.comparisons)
            .filter(|c| c.variant == name && c.judgement == word)
            .collect()
    };
    let (lost, gained) = (of(Judgement::Slower), of(Judgement::Faster));
    let verdict = match (lost.is_empty(), gained.is_empty()) {
        (false, _) => Verdict::NoGo,
        (true, false) => Verdict::Go,
        (true, true) => Verdict::Same,
    };
    let product: f64 = workloads
        .iter()
        .flat_map(|w| &w.comparisons)
        .filter(|c| c.variant == name)
        .map(|c| c.speed.estimate)
        .product();
    let reasons = vec![
        format!("slower on {} of 4 workloads", lost.len()),
        format!("faster on {} of 4 workloads", gained.len()),
    ];
    VariantEvidence {
        name: name.into(),
        baseline: v == 0,
        why: if v == 8 {
            "native for all crates but blake2b_simd, Keccak and the final crate".into()
        } else {
            String::new()
        },
        settings: (!flags.is_empty())
            .then(|| format!("rustflags {flags}"))
            .into_iter()
            .collect(),
        reproduce: vec![
            "cd studies/blake2-dispatch/subject".into(),
            if v == 8 {
                "RUSTC_WRAPPER='karat-rustc --all -Ctarget-cpu=native --except \
                 blake2b_simd,tiny_keccak,subject' cargo build --release --locked"
                    .into()
            } else {
                format!("RUSTFLAGS='{flags}' cargo build --release --locked")
            },
        ],
        left_out: None,
        build: Some(BuildEvidence {
            key: format!("{v:064x}"),
            cached: v % 2 == 1,
            seconds: 17.5 + v as f64,
            sha256: format!("{:064x}", 0x9e37_79b9_u64 * (v as u64 + 1)),
            bytes: 583_000 + 12_345 * v as u64,
            warnings: 0,
        }),
        audit: Some(audit(v)),
        verdict: (v > 0).then(|| VariantVerdict {
            verdict: Some(verdict),
            mean_speed: product.powf(0.25),
            reasons,
        }),
    }
}

fn left_out() -> VariantEvidence {
    VariantEvidence {
        name: "native-apx".into(),
        baseline: false,
        why: String::new(),
        settings: vec!["rustflags -Ctarget-feature=+apxf".into()],
        reproduce: Vec::new(),
        left_out: Some("this CPU lacks apxf".into()),
        build: None,
        audit: None,
        verdict: None,
    }
}

fn parity(variants: &[VariantEvidence]) -> Vec<ParityCheck> {
    let check = |name: &str, variant: &str| ParityCheck {
        name: name.into(),
        variant: variant.into(),
        args: vec![name.into()],
        passed: true,
        differences: Vec::new(),
        logs: None,
    };
    variants
        .iter()
        .filter(|v| !v.baseline && v.left_out.is_none())
        .flat_map(|v| [check("self-test", &v.name), check("vectors", &v.name)])
        .collect()
}

fn findings() -> Vec<Finding> {
    vec![
        Finding {
            code: "KA002".into(),
            severity: Severity::Warning,
            variant: Some("native".into()),
            place: Some("tiny_keccak::keccakf".into()),
            location: None,
            message: "The instruction mix is 41 % like the baseline's: 1 204 scalar rotations \
                      became vector shuffles."
                .into(),
        },
        Finding {
            code: "KA001".into(),
            severity: Severity::Note,
            variant: Some("native".into()),
            place: Some("blake2b_simd::avx2::compress1_loop".into()),
            location: None,
            message: "No symbol, but 1 312 instructions of it run inside \
                      blake2b_simd::Params::hash; it is inlined, not lost."
                .into(),
        },
    ]
}
