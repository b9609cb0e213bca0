//! What sound studies mean.

use crate::write::{built_by, with};
use karat_model::bloat::Thresholds;
use karat_model::study::{
    Budget, Builder, Cargo, Command, Counter, CrateFlags, CrateSet, DEFAULT_SECONDS, Layouts,
    LogSource, MOST_ROUNDS, MaxTime, Measure, MetricPlan, MetricSource, Parity, ParityOutput,
    ProfileValue, Study, StudySoak, Surroundings, Variant, Workload,
};
use karat_model::units::{Better, Metric};
use std::collections::BTreeMap;
use std::path::Path;

/// A study with every key.
pub const FULL: &str = include_str!("full.toml");

fn parse(source: &str) -> Study {
    Study::parse(source).unwrap_or_else(|problems| {
        panic!(
            "{}",
            karat_model::diagnostic::render(&problems, "study.toml", source, false)
        )
    })
}

fn variant<'a>(study: &'a Study, name: &str) -> &'a Variant {
    let found = study.variants.iter().find(|v| v.name.value == name);
    found.expect("the study has it")
}

fn cargo<'a>(study: &'a Study, name: &str) -> &'a Cargo {
    match &variant(study, name).builder {
        Builder::Cargo(cargo) => cargo,
        other => panic!("{name} is no cargo build: {other:?}"),
    }
}

fn command<'a>(study: &'a Study, name: &str) -> &'a Command {
    match &variant(study, name).builder {
        Builder::Command(command) => command,
        other => panic!("{name} is no build by command: {other:?}"),
    }
}

fn map(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    let own = |(k, v): &(&str, &str)| ((*k).to_owned(), (*v).to_owned());
    pairs.iter().map(own).collect()
}

#[test]
fn the_top_of_a_full_study() {
    let study = parse(FULL);
    assert_eq!(study.name, "full");
    assert_eq!(study.title, "Does it help?");
    assert_eq!(study.description, "Two\nlines.");
    assert_eq!(study.baseline, 0);
    assert_eq!(study.candidate, Some(1));
    assert_eq!(study.pairs, [(1, 2)]);
    let names: Vec<&str> = study
        .variants
        .iter()
        .map(|v| v.name.value.as_str())
        .collect();
    let expected = ["plain", "tuned", "only", "made", "here", "existing"];
    assert_eq!(names, expected);
    assert_eq!(
        study.measure,
        Measure {
            max_rounds: 80,
            time: MaxTime::Seconds(3600.0),
            warmup: 2,
            pin: false,
            layouts: Layouts::Count(8),
        }
    );
    assert_eq!(
        study.bloat,
        Thresholds {
            wide_growth: 0.5,
            wide_least: 100,
            size_growth: 0.02,
            size_least: 4096,
        }
    );
    assert_eq!(
        study.budget,
        Budget {
            clean: Some(480.0),
            cached: Some(180.0),
            smoke: Some(45.0),
        }
    );
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        study.soak,
        Some(StudySoak {
            workload: 2,
            time: text("1 h"),
            every: text("500 ms"),
            epoch: text("10 s"),
            warm: text("1 min"),
            line: text(r"done (?<total>\d+)"),
            load: text("./work-it"),
            repeat: true,
            budgets: vec!["rss-drift=5%/h".into(), "cv=2%".into()],
        })
    );
    assert_eq!(
        study.parity[0],
        Parity {
            name: "selftest".into(),
            args: vec!["selftest".into(), "--all".into()],
            output: ParityOutput::Bytes,
        }
    );
    assert!(study.parity[1].args.is_empty());
    assert_eq!(study.expect.len(), 2);
    assert_eq!(study.expect[0].function, "app::kernel::avx2");
    assert_eq!(study.expect[0].workloads, ["json", "regex"]);
    assert!(study.expect[1].workloads.is_empty());
}

#[test]
fn a_parity_check_may_name_a_reader() {
    let with = |reader: &str| {
        let last = format!("reader = \"{reader}\"\n\n[[expect]]");
        parse(&FULL.replacen("[[expect]]", &last, 1))
    };
    let named = with("libtset");
    let ParityOutput::Events {
        reader: Some(reader),
        logs,
    } = &named.parity[1].output
    else {
        panic!("no reader in {:?}", named.parity);
    };
    assert_eq!(logs, &[LogSource::Stdout, LogSource::Stderr]);
    assert_eq!(reader.value, "libtset");
    assert!(named.unknown_readers(&["libtset"]).is_empty());
    let problems = named.unknown_readers(&["junit", "libtest"]);
    assert_eq!(problems[0].help.as_deref(), Some("did you mean `libtest`?"));
    assert_eq!(problems[0].span, reader.span);
    let auto = with("auto");
    assert_eq!(
        auto.parity[1].output,
        ParityOutput::Events {
            reader: None,
            logs: vec![LogSource::Stdout, LogSource::Stderr],
        }
    );
    assert!(auto.unknown_readers(&[]).is_empty());
    let files = with("junit\"\nlogs = [\"stderr\", \"out/t.xml\", \"./stdout\"]\n#");
    let ParityOutput::Events { logs, .. } = &files.parity[1].output else {
        panic!("no reader in {:?}", files.parity);
    };
    let file = |path: &str| LogSource::File(path.into());
    assert_eq!(
        logs,
        &[LogSource::Stderr, file("out/t.xml"), file("./stdout")]
    );
}

#[test]
fn a_variant_takes_what_it_does_not_say_from_the_subject() {
    let study = parse(FULL);
    let plain = cargo(&study, "plain");
    assert_eq!(plain.dir.value, Path::new("app"));
    assert_eq!(plain.bin, "tool");
    assert_eq!(plain.rustflags, ["-Ctarget-cpu=x86-64-v2"]);
    assert_eq!(plain.crate_rustflags, None);
    assert_eq!(plain.features, ["one"]);
    assert!(!plain.default_features);
    assert_eq!(plain.env, map(&[("A", "1"), ("B", "2")]));
    assert_eq!(plain.patches.len(), 1);
    let profile: Vec<_> = plain.profile.iter().collect();
    assert_eq!(
        profile,
        [
            (&"codegen-units".to_owned(), &ProfileValue::Number(16)),
            (&"lto".to_owned(), &ProfileValue::Text("fat".into())),
            (&"overflow-checks".to_owned(), &ProfileValue::Flag(true)),
        ]
    );
}

#[test]
fn a_variant_overrides_lists_and_merges_tables() {
    let study = parse(FULL);
    let tuned = cargo(&study, "tuned");
    assert_eq!(variant(&study, "tuned").why, "the flags we ship");
    assert_eq!(variant(&study, "tuned").requires, ["avx2", "bmi2"]);
    assert_eq!(
        tuned.rustflags,
        ["-Ctarget-cpu=native", "-Cno-vectorize-slp"]
    );
    assert_eq!(tuned.features, ["two", "three"]);
    assert!(tuned.default_features);
    assert_eq!(tuned.env, map(&[("A", "1"), ("B", "3"), ("C", "4")]));
    assert_eq!(tuned.profile["lto"], ProfileValue::Text("off".into()));
    assert_eq!(tuned.profile["panic"], ProfileValue::Text("abort".into()));
    assert_eq!(tuned.profile["codegen-units"], ProfileValue::Number(16));
    assert_eq!(tuned.profile.len(), 4);
    let patches: Vec<_> = tuned
        .patches
        .iter()
        .map(|p| (p.package.as_str(), p.file.value.as_path()))
        .collect();
    assert_eq!(
        patches,
        [
            ("dep", Path::new("patches/dep.patch")),
            ("other", Path::new("patches/other.patch")),
        ]
    );
    // rustc's names, whatever the study writes.
    let crates = CrateSet::Except(vec!["some_crate".into(), "other_crate".into()]);
    let flags = vec!["-Ctarget-cpu=native".into()];
    assert_eq!(tuned.crate_rustflags, Some(CrateFlags { flags, crates }));

    let only = cargo(&study, "only");
    assert_eq!(only.bin, "other-tool");
    assert_eq!(only.rustflags, ["-Ctarget-cpu=x86-64-v2"]);
    let crates = CrateSet::Only(vec!["a".into()]);
    let flags = vec!["-Ctarget-feature=+avx2".into(), "-Copt-level=3".into()];
    assert_eq!(only.crate_rustflags, Some(CrateFlags { flags, crates }));
}

#[test]
fn another_kind_of_builder_takes_nothing_along() {
    let study = parse(FULL);
    let made = command(&study, "made");
    assert_eq!(made.command, ["make", "-j2", "all"]);
    assert_eq!(made.dir.value, Path::new("c"));
    assert_eq!(made.artifact, Path::new("out/tool"));
    assert_eq!(made.env, map(&[("CC", "gcc")]));
    let here = command(&study, "here");
    assert_eq!(here.dir.value, Path::new("."));
    assert!(here.env.is_empty());
    match &variant(&study, "existing").builder {
        Builder::Binary(path) => assert_eq!(path.value, Path::new("bin/tool")),
        other => panic!("not a binary: {other:?}"),
    }
}

#[test]
fn a_subject_without_a_builder_gives_all_it_has() {
    let study = parse(&built_by(
        "dir = \"src\"\nartifact = \"tool\"\nenv = { A = \"1\" }\ncommand = [\"make\"]",
        "command = [\"make\", \"fast\"]\nenv = { B = \"2\" }",
    ));
    let tuned = command(&study, "tuned");
    assert_eq!(tuned.dir.value, Path::new("src"));
    assert_eq!(tuned.artifact, Path::new("tool"));
    assert_eq!(tuned.env, map(&[("A", "1"), ("B", "2")]));

    let source = "schema = 1\nname = \"s\"\nbaseline = \"a\"\n\
                  [subject]\ndir = \"src\"\nartifact = \"tool\"\nenv = { A = \"1\" }\n\
                  [[variant]]\nname = \"a\"\ncommand = [\"make\"]\n\
                  [[variant]]\nname = \"b\"\ncommand = [\"make\", \"fast\"]\n";
    let study = parse(source);
    assert_eq!(command(&study, "b").artifact, Path::new("tool"));
    assert_eq!(command(&study, "b").env, map(&[("A", "1")]));
}

#[test]
fn workloads_and_their_metrics() {
    let study = parse(FULL);
    let by_name = |name: &str| -> Workload {
        let found = study.workloads.iter().find(|w| w.name == name);
        found.expect("the study has it").clone()
    };
    assert_eq!(
        by_name("json"),
        Workload {
            name: "json".into(),
            why: "throughput".into(),
            args: vec!["bench".into(), "--size=64k".into()],
            run: Surroundings::default(),
            null_stdout: false,
            metrics: vec![MetricPlan {
                source: MetricSource::Json("a.b".into()),
                metric: Metric {
                    name: "throughput".into(),
                    unit: "GiB/s".into(),
                    better: Better::Higher,
                },
            }],
            margin: 0.025,
            timeout: 0.5,
        }
    );
    assert!(by_name("silent").null_stdout);
    let default = by_name("default");
    assert!(!default.null_stdout);
    let metric = &default.metrics[0];
    assert_eq!(metric.source, MetricSource::Cpu);
    assert_eq!(
        (metric.metric.name.as_str(), metric.metric.unit.as_str()),
        ("cpu", "s")
    );
    assert_eq!(metric.metric.better, Better::Lower);
    assert_eq!(default.margin, 0.005, "the study's own margin");
    assert_eq!(default.timeout, 60.0);
    assert_eq!(by_name("wall").metrics[0].source, MetricSource::Wall);
    assert_eq!(by_name("wall").timeout, 120.0);
    let regex = &by_name("regex").metrics[0];
    assert_eq!(regex.metric.better, Better::Lower);
    assert_eq!(regex.metric.name, "value");
    assert!(matches!(&regex.source, MetricSource::Regex(r) if r.contains("(?<value>")));
}

#[test]
fn a_workload_may_have_several_metrics() {
    let study = parse(FULL);
    let found = study.workloads.iter().find(|w| w.name == "several");
    let sources: Vec<MetricSource> = found
        .expect("the study has it")
        .metrics
        .iter()
        .map(|m| m.source.clone())
        .collect();
    let output = |tool: Option<&str>, path: Option<&str>| MetricSource::Output {
        tool: tool.map(Into::into),
        path: path.map(Into::into),
    };
    assert_eq!(
        sources,
        [
            MetricSource::Wall,
            MetricSource::Rss,
            MetricSource::Counter(Counter::Cycles),
            output(Some("criterion"), Some("target/criterion")),
            output(None, None),
        ]
    );
}

#[test]
fn a_variants_surroundings_go_over_a_workloads() {
    let study = parse(FULL);
    let workload = &study.workloads.iter().find(|w| w.name == "several");
    let base = &workload.expect("the study has it").run;
    let run = variant(&study, "existing").run.over(base);
    assert_eq!(run.env, map(&[("LANG", "C"), ("MODE", "fast")]));
    assert_eq!(run.setup.as_deref(), Some("touch ready"));
    assert_eq!(run.cleanup.as_deref(), Some("rm -f ready"));
    assert_eq!(run.stdin.map(|p| p.value), Some("input.txt".into()));
    assert_eq!(run.dir.map(|p| p.value), Some("work".into()));
}

#[test]
fn what_a_short_study_leaves_out_has_defaults() {
    let study = parse(&with(""));
    assert_eq!(study.title, study.name);
    assert_eq!(study.description, "");
    assert_eq!(study.candidate, None);
    assert!(study.workloads.is_empty() && study.parity.is_empty() && study.expect.is_empty());
    assert_eq!(
        study.measure,
        Measure {
            max_rounds: MOST_ROUNDS,
            time: MaxTime::Seconds(DEFAULT_SECONDS),
            warmup: 1,
            pin: true,
            layouts: Layouts::Auto,
        }
    );
    assert_eq!(study.budget, Budget::default());
    assert_eq!(study.soak, None);
    assert!(cargo(&study, "plain").default_features);
    let study = parse(&with("[[workload]]\nname = \"w\"\n"));
    assert_eq!(study.workloads[0].margin, 0.01);
}

#[test]
fn paths_are_listed_with_their_places() {
    let study = parse(FULL);
    let mut paths: Vec<&Path> = study.paths().iter().map(|p| p.value.as_path()).collect();
    paths.sort_unstable();
    paths.dedup();
    let expected = [
        ".",
        "app",
        "bin/tool",
        "c",
        "input.txt",
        "patches/dep.patch",
        "patches/other.patch",
        "work",
    ];
    assert_eq!(paths, expected.map(Path::new));
    for path in study.paths().iter().filter(|p| p.value != Path::new(".")) {
        let text = &FULL[path.span.clone()];
        assert_eq!(text.trim_matches('"'), path.value.to_str().unwrap());
    }
}

#[test]
fn margins_may_lie_at_the_edge() {
    let study = parse(&with("[[workload]]\nname = \"w\"\nmargin = \"50%\"\n"));
    assert_eq!(study.workloads[0].margin, 0.5);
    let study = parse(&with("[[workload]]\nname = \"w\"\nmargin = \"0.001\"\n"));
    assert_eq!(study.workloads[0].margin, 0.001);
}

#[test]
fn windows_line_ends_change_nothing() {
    let study = parse(&FULL.replace('\n', "\r\n"));
    assert_eq!(study.variants.len(), 6);
}
