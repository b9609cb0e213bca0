use super::*;

fn measured(size: u64, bodies: &[(&str, f64)]) -> Measured {
    Measured {
        cpu: "Zen4",
        kernel: "sum".into(),
        task: "sum".into(),
        items: 1,
        size,
        bodies: bodies
            .iter()
            .map(|(n, ns)| ((*n).to_owned(), *ns))
            .collect(),
        file: "records/a.csv".into(),
        when: "2026-11-24".into(),
    }
}

#[test]
fn the_committed_choices_are_what_the_records_say() {
    check().expect("current");
}

/// Nobody who changes a body has these two at hand: what runs there is what was measured
/// there, and a body that was not on the Zen 5 (`avx512-shifts`) does not.
#[test]
fn zen_5_and_intel_run_what_their_records_have() {
    let records = super::super::kernel_record::measured(&root().join("records")).unwrap();
    let hashes = [
        "blake2b",
        "blake2b-many",
        "blake2s",
        "blake2s-many",
        "blake3",
        "keccak",
        "keccak-many",
        "lthash",
        "sha256",
        "sha256-many",
    ];
    let groups = grouped(&records, &hashes.map(str::to_owned));
    for cpu in ["Zen5", "SapphireRapids"] {
        for kernel in hashes {
            let cases = groups.get(&(kernel, cpu)).expect("a record");
            let choice = choice(kernel, cpu, cases);
            assert_eq!(losses(&choice, cases), [""; 0], "{kernel} on {cpu}");
            let is_measured = cpu != "Zen5";
            assert!(is_measured || !choice.order.iter().any(|body| body == "avx512-shifts"));
            for case in cases {
                let order = match &choice.short {
                    Some((limit, short)) if case.size <= *limit => short,
                    _ => &choice.order,
                };
                let known = case.bodies.iter().any(|(body, _)| *body == order[0]);
                assert!(known, "{kernel} on {cpu}: {} is not in {case:?}", order[0]);
            }
        }
    }
}

#[test]
fn bodies_are_ordered_by_their_mean_and_a_loss_is_told() {
    let cases = [
        measured(64, &[("a", 10.0), ("b", 10.1), ("c", 30.0)]),
        measured(1024, &[("a", 101.0), ("b", 100.0), ("c", 90.0)]),
    ];
    let all: Cases<'_> = cases.iter().collect();
    let kept = choice("sum", "Zen4", &all);
    assert_eq!(kept.order, ["a", "b", "c"]);
    let lost = losses(&kept, &all);
    assert_eq!(lost.len(), 1, "{lost:?}");
    assert!(lost[0].contains("12.2 % longer") && lost[0].contains("1 × 1024:"));
    assert!(choices(&cases, &[], &["sum".to_owned()]).is_err());
    assert_eq!(choices(&cases, &[], &[]).unwrap(), []);
    let by_model = choices(&cases[..1], &cases[1..], &["sum".to_owned()]).unwrap();
    assert_eq!(
        by_model[0].order,
        ["a", "b", "c"],
        "a record counts, not a model"
    );
    let by_model = choices(&[], &cases, &["sum".to_owned()]).unwrap();
    assert_eq!(by_model.len(), 1, "a model's losses are no mistakes");
}

#[test]
fn what_is_of_older_code_is_said_to_be() {
    let (kernel, changed, _) = CHANGED[0];
    let of = |kernel: &str, when: &str| {
        let mut case = measured(64, &[("a", 10.0)]);
        (case.kernel, case.when) = (kernel.to_owned(), when.to_owned());
        choice("k", "Zen4", &vec![&case]).evidence
    };
    let old = format!("records/a.csv (code before {})", &changed[..10]);
    for when in ["2026-11-20", "2026-11-25T01:36:00Z"] {
        assert_eq!(of(kernel, when), old, "{when}");
        assert_eq!(of("sum", when), "records/a.csv");
    }
    // The day alone, as models have it, and a moment after the change.
    let after = format!("{changed}:01Z");
    for when in [&changed[..10], &after] {
        assert_eq!(of(kernel, when), "records/a.csv", "{when}");
    }
    let kernels = kernels_in(&root().join("kernels")).unwrap();
    assert!(
        CHANGED
            .iter()
            .all(|(kernel, ..)| kernels.iter().any(|k| k == kernel))
    );
}

#[test]
fn a_model_alone_does_not_choose_what_needs_a_record() {
    for (kernel, body) in BY_RECORD {
        let mut case = measured(64, &[(body, 10.0), ("other", 20.0)]);
        case.kernel = (*kernel).to_owned();
        let (cases, kernels) = (std::slice::from_ref(&case), [case.kernel.clone()]);
        let by_model = choices(&[], cases, &kernels).unwrap();
        assert_eq!(by_model[0].order, ["other"]);
        let by_record = choices(cases, &[], &kernels).unwrap();
        assert_eq!(by_record[0].order, [*body, "other"]);
    }
}

#[test]
fn programs_decide_where_a_kernel_has_some_and_all_were_measured() {
    for (kernel, tasks) in PROGRAMS {
        let case = |task: &str, bodies: &[(&str, f64)]| {
            let mut case = measured(64, bodies);
            (case.kernel, case.task) = ((*kernel).to_owned(), task.to_owned());
            case
        };
        let mut cases = vec![case("alone", &[("a", 10.0), ("b", 1.0)])];
        for task in *tasks {
            let kernels = [(*kernel).to_owned()];
            assert_eq!(choices(&cases, &cases, &kernels).unwrap(), []);
            cases.push(case(task, &[("a", 10.0), ("b", 11.0)]));
        }
        let chosen = choices(&cases, &[], &[(*kernel).to_owned()]).unwrap();
        assert_eq!(chosen[0].order, ["a", "b"]);
    }
}

#[test]
fn of_two_that_are_the_same_in_records_the_one_for_few_messages_leads() {
    let order_of = |kernel: &str, ns| {
        let mut case = measured(64, &[("avx512", 10.0), ("avx512-sha-ni", ns)]);
        case.kernel = kernel.into();
        order(&[&case])
    };
    assert_eq!(order_of("sha256-many", 10.1)[0], "avx512-sha-ni");
    assert_eq!(order_of("sha256-many", 11.0)[0], "avx512");
    assert_eq!(order_of("sum", 10.1)[0], "avx512");
}

#[test]
fn two_bodies_share_by_length_where_each_leads() {
    let cases = [
        measured(64, &[("a", 10.0), ("b", 11.0)]),
        measured(256, &[("a", 10.0), ("b", 10.5)]),
        measured(1024, &[("a", 12.0), ("b", 10.0)]),
    ];
    let all: Cases<'_> = cases.iter().collect();
    let (long, short) = by_length(&all);
    assert_eq!(long[0], "b");
    let (limit, short) = short.unwrap();
    assert_eq!((limit, short[0].as_str()), (256, "a"));
    let (_, none) = by_length(&all[..2]);
    assert_eq!(none, None, "one body leads everywhere");
}

#[test]
fn kernels_are_found_in_sources() {
    let names = kernels_in(&root().join("kernels")).unwrap();
    for name in ["blake2b", "sha256-many", "lthash"] {
        assert!(names.iter().any(|n| n == name), "{name}: {names:?}");
    }
}
