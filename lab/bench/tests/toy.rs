//! A toy suite from outside: integers that are added, with a form of their own.

use karat_bench::kernels::{KernelError, Options, Program, Wanted, bench};
use karat_cpu::{Implementation, IsaSet, Kernel};
use karat_kit::{
    Answer, Body, Call, Check, Input, Mistake, Outcome, Peer, Suite, Task, Threads, Unit, Work,
};
use karat_model::kernels::{Case, SizeUnit, WorkUnit};

/// Adds the second list of limbs to the first, least significant limb first.
type Add = fn(&mut [u64], &[u64]);

static ADD: Kernel<Add> = Kernel::new(
    "toy-add",
    &[
        Implementation::new("wide", IsaSet::EMPTY, wide, "128 bits at a time"),
        Implementation::new("portable", IsaSet::EMPTY, portable, "limb by limb"),
    ],
);

fn portable(sum: &mut [u64], other: &[u64]) {
    let mut carry = false;
    for (a, b) in sum.iter_mut().zip(other) {
        let (low, first) = a.overflowing_add(*b);
        let (low, second) = low.overflowing_add(u64::from(carry));
        (*a, carry) = (low, first || second);
    }
}

fn wide(sum: &mut [u64], other: &[u64]) {
    let mut carry = 0_u128;
    for (a, b) in sum.iter_mut().zip(other) {
        carry += u128::from(*a) + u128::from(*b);
        *a = carry as u64;
        carry >>= 64;
    }
}

/// Two integers as limbs.
struct Sum([Vec<u64>; 2], Vec<u64>);

impl Call for Sum {
    fn call(&mut self) {
        self.1.clone_from(&self.0[0]);
        (ADD.get())(&mut self.1, &self.0[1]);
    }

    fn result(&self, out: &mut [u8]) {
        for (place, limb) in out.chunks_exact_mut(8).zip(&self.1) {
            place.copy_from_slice(&limb.to_le_bytes());
        }
    }
}

fn limbs(input: &Input) -> Sum {
    let mut both = input.each_item().map(|integer| {
        let limb = |bytes: &[u8]| bytes.iter().rev().fold(0, |v, b| v << 8 | u64::from(*b));
        integer.chunks(8).map(limb).collect()
    });
    Sum(std::array::from_fn(|_| both.next().unwrap()), Vec::new())
}

fn added(input: &Input) -> Vec<Vec<u8>> {
    let mut sum = limbs(input);
    sum.call();
    let mut out = vec![0; input.bytes.len() / 2];
    sum.result(&mut out);
    vec![out]
}

static SUITE: Suite = Suite {
    name: "toy",
    kernels: || vec![&ADD],
    uses: Vec::new,
    checks: &[Check {
        kernel: "toy-add",
        name: "sum of two integers",
        inputs: |random| {
            let lengths = 1..20;
            lengths
                .map(|limbs| Input::of_items(random.bytes(16 * limbs), 2))
                .collect()
        },
        run: added,
        describe: |input, _| format!("{} bits", input.bytes.len() * 4),
        known: || {
            vec![Answer {
                input: Input::of_items([vec![0xff; 16], vec![1], vec![0; 15]].concat(), 2),
                results: vec![vec![0; 16]],
            }]
        },
    }],
    tasks: &[Task {
        name: "toy-add",
        title: "Sum of two integers",
        kernel: "toy-add",
        peers: "toy-add",
        body: Body::Prepared(|input| Box::new(limbs(input))),
        input: |random, size| Input::of_items(random.bytes((size.size / 4) as usize), 2),
        result: |size| (size.size / 8) as usize,
        work: |_| Work::Operations(1),
        item: "sums",
        items: &[1],
        unit: Unit::Bits,
        sizes: &[1024, 4096],
        most: 1 << 16,
        threads: Threads::One,
    }],
};

/// Byte by byte, as a peer that takes the input as it is.
fn bytewise(input: &Input, out: &mut [u8]) {
    let (a, b) = input.bytes.split_at(input.bytes.len() / 2);
    let mut carry = 0;
    for ((a, b), place) in a.iter().zip(b).zip(out) {
        carry += u16::from(*a) + u16::from(*b);
        *place = carry as u8;
        carry >>= 8;
    }
}

const fn peer(name: &'static str, function: fn(&Input, &mut [u8])) -> Peer {
    Peer {
        task: "toy-add",
        name,
        note: "",
        body: Body::Direct(function),
    }
}

fn quick(peers: &[Peer], wanted: &Wanted) -> Result<Vec<Case>, KernelError> {
    let plans = wanted.plans(&[&SUITE])?;
    bench(
        &plans,
        peers,
        Vec::new(),
        &Options::default().quick(),
        |_, _| true,
    )
}

/// A single test, because a bench and a check force implementations in the whole process.
#[test]
fn a_suite_from_outside_is_checked_and_measured_beside_its_peers() {
    assert_eq!(SUITE.mistakes(), [] as [Mistake; 0]);
    let mut checked = 0;
    SUITE.check("toy-add", 1, |one| {
        checked += 1;
        let passed = Outcome::Passed {
            answers: 1,
            random: 19,
        };
        assert_eq!(one.outcome, passed, "{}", one.implementation);
    });
    assert_eq!(checked, 2);

    let cases = quick(&[peer("bytes", bytewise)], &Wanted::default()).unwrap();
    assert_eq!(
        cases.iter().map(|c| c.size).collect::<Vec<_>>(),
        [1024, 4096]
    );
    for case in &cases {
        let names: Vec<&str> = case.arms.iter().map(|a| a.name.as_str()).collect();
        assert_eq!(names, ["karat wide", "karat portable", "bytes"]);
        assert_eq!((case.unit, case.work), (SizeUnit::Bits, 1));
        assert_eq!(
            (case.work_unit, case.baseline.as_str()),
            (WorkUnit::Operations, "bytes")
        );
        assert_eq!(case.chosen().unwrap().name, "karat wide");
        assert!(case.arms.iter().all(|a| a.ns > 0.0 && a.per_second > 0.0));
    }
    assert_eq!(ADD.chosen().name(), "wide", "the choice is back");

    let wrong = quick(&[peer("zeros", |_, out| out.fill(0))], &Wanted::default()).unwrap_err();
    let told = wrong.to_string();
    assert!(matches!(wrong, KernelError::Disagree { .. }), "{told}");
    assert!(
        told.contains("`zeros`") && told.contains("1 sums of size 1024"),
        "{told}"
    );

    let asked = |kernels: &[&str], sizes: &[u64]| Wanted {
        kernels: kernels.iter().map(|k| (*k).to_owned()).collect(),
        sizes: sizes.to_vec(),
        ..Wanted::default()
    };
    let one = asked(&["toy-add"], &[64, 1 << 17])
        .plans(&[&SUITE])
        .unwrap();
    assert_eq!(
        one.len(),
        1,
        "what is larger than the task's largest is left out"
    );
    assert!(matches!(
        asked(&[], &[1 << 17]).plans(&[&SUITE]),
        Err(KernelError::NothingLeft)
    ));
    let unknown = asked(&["toy-sub"], &[]).plans(&[&SUITE]).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "no kernel is called `toy-sub`; there are toy-add"
    );
    let task = |name: &str| Wanted {
        tasks: vec![name.to_owned()],
        ..Wanted::default()
    };
    let sizes = SUITE.tasks[0].sizes.len();
    let plans = task("toy-add").plans(&[&SUITE]).unwrap();
    assert_eq!(plans.len(), sizes);
    let unknown = task("toy-sub").plans(&[&SUITE]).unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "no task is called `toy-sub`; there are toy-add"
    );
    let mut begun = 0;
    let plans = Wanted::default().plans(&[&SUITE]).unwrap();
    let stopped = bench(
        &plans,
        &[],
        Vec::new(),
        &Options::default().quick(),
        |_, _| {
            begun += 1;
            begun == 1
        },
    );
    assert_eq!((stopped.unwrap().len(), begun), (1, 2));

    // A peer that ends in the second case: an error, unless that was an interruption.
    let script = std::env::temp_dir().join(format!("karat-toy-{}.sh", std::process::id()));
    let answers = "read request; echo 'hello 1 a peer'; read request; echo no; read request";
    std::fs::write(&script, answers).unwrap();
    for interrupted in [false, true] {
        let program = Program::start(&format!("sh {}", script.display())).unwrap();
        let mut begun = 0;
        let ended = bench(
            &plans,
            &[],
            vec![program],
            &Options::default().quick(),
            |_, _| {
                begun += 1;
                begun < 3 || !interrupted
            },
        );
        assert_eq!(
            ended.map(|cases| cases.len()).ok(),
            interrupted.then_some(1)
        );
        assert_eq!(begun, 3);
    }
    std::fs::remove_file(&script).unwrap();
}
