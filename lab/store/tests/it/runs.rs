//! A run folder from its beginning to its name, and after an interruption.

use crate::sample::{STUDY, begin, evidence, finished, sample};
use karat_model::layout::LayoutEvidence;
use karat_model::measure::Sample;
use karat_store::{Store, StoreError};
use std::fs;
use std::path::Path;

fn layouts(count: u32) -> LayoutEvidence {
    LayoutEvidence {
        layouts: count,
        ..LayoutEvidence::default()
    }
}

fn names(root: &Path) -> Vec<String> {
    let entries = fs::read_dir(root).unwrap();
    let mut names: Vec<String> = entries
        .map(|e| e.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

#[test]
fn a_run_is_partial_until_it_is_whole() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("not/yet/there");
    let store = Store::at(&root);
    assert_eq!(store.root(), root);
    let mut folder = begin(&store, "20260101-000000", "s");
    assert_eq!(folder.id(), "20260101-000000-s");
    assert!(folder.path().ends_with("20260101-000000-s.partial"));
    folder.fingerprint("abc", &layouts(3), 7).unwrap();
    for round in 0..3 {
        folder.sample(&sample(round, 0)).unwrap();
    }
    // With the operating system already: a crash loses none of them.
    let lines = fs::read_to_string(folder.path().join("samples.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 3);
    folder.log("build-x.log", "made\n").unwrap();
    assert!(
        store.history().unwrap().rows.is_empty(),
        "it is not finished"
    );

    let whole = evidence("20260101-000000-s", "s", "2026-01-01T00:00:00Z", 1.5);
    let reports = [("report.md", "# Report\n".to_owned())];
    let place = folder.finish(&whole, &reports).unwrap();
    assert_eq!(place, root.join("20260101-000000-s"));
    assert!(!root.join("20260101-000000-s.partial").exists());
    let read = |name: &str| fs::read_to_string(place.join(name)).unwrap();
    assert_eq!(read("report.md"), "# Report\n");
    assert_eq!(read("study.toml"), STUDY);
    assert_eq!(read("logs/build-x.log"), "made\n");
    assert_eq!(read("samples.jsonl").lines().count(), 3);
    let (found, again) = store.evidence("20260101-000000-s").unwrap();
    assert_eq!(found, place);
    assert_eq!(again, whole, "every number survives the file");
    assert!(
        !names(&place).iter().any(|n| n.ends_with(".part")),
        "no half-written file stays: {:?}",
        names(&place)
    );
}

#[test]
fn runs_of_the_same_second_get_names_of_their_own() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    let first = begin(&store, "20260101-000000", "s");
    let second = begin(&store, "20260101-000000", "s");
    assert_eq!(second.id(), "20260101-000000-s-2");
    // A finished run's name is taken as well.
    let id = first.id().to_owned();
    first.finish(&evidence(&id, "s", "x", 1.0), &[]).unwrap();
    let third = begin(&store, "20260101-000000", "s");
    assert_eq!(third.id(), "20260101-000000-s-3");
}

#[test]
fn many_at_once_share_no_folder() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    let ids: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|_| scope.spawn(|| begin(&store, "20260101-000000", "s").id().to_owned()))
            .collect();
        threads.into_iter().map(|t| t.join().unwrap()).collect()
    });
    let unique: std::collections::HashSet<_> = ids.iter().collect();
    assert_eq!(unique.len(), 8, "{ids:?}");
}

#[test]
fn a_run_is_found_by_id_folder_file_and_as_the_latest() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    // Finished in another order than begun: the beginning counts.
    let (late, late_place) = finished(&store, "20260102-000000", "s", 1.2);
    let (early, early_place) = finished(&store, "20260101-235959", "zzz", 1.1);
    begin(&store, "20260103-000000", "s");
    let id_of = |run: &str| store.evidence(run).unwrap().1.run.id;
    assert_eq!(id_of("latest"), late);
    assert_eq!(id_of(&early), early);
    assert_eq!(id_of(&early_place.to_string_lossy()), early);
    let file = late_place.join("evidence.json");
    assert_eq!(id_of(&file.to_string_lossy()), late);
    for unfinished in ["20260103-000000-s", "20260103-000000-s.partial"] {
        let error = store.evidence(unfinished).unwrap_err();
        assert!(matches!(error, StoreError::Unfinished { .. }), "{error:?}");
        assert!(error.to_string().contains("--resume"), "{error}");
    }
}

#[test]
fn an_interrupted_run_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    let mut folder = begin(&store, "20260101-000000", "s");
    folder.fingerprint("abc", &layouts(5), u64::MAX).unwrap();
    let before: Vec<Sample> = (0..3).map(|round| sample(round, 0)).collect();
    for sample in &before {
        folder.sample(sample).unwrap();
    }
    drop(folder);

    let (mut folder, left) = store.resume("20260101-000009", "s", "").unwrap();
    assert_eq!(folder.id(), "20260101-000000-s");
    assert_eq!(left.fingerprint.as_deref(), Some("abc"));
    assert_eq!(left.seed, u64::MAX);
    assert_eq!((left.resumed, left.continues), (1, None));
    assert_eq!(
        left.layouts,
        layouts(5),
        "what a pilot chose holds for the whole run"
    );
    assert_eq!(left.samples, before, "every bit of every number");
    folder.sample(&sample(3, 0)).unwrap();
    drop(folder);

    let (folder, left) = store.resume("20260101-000009", "s", "").unwrap();
    assert_eq!(left.resumed, 2);
    assert_eq!(left.samples.len(), 4);
    let id = folder.id().to_owned();
    let done = folder.finish(&evidence(&id, "s", "x", 1.0), &[]).unwrap();

    // Finished, it begins another stretch, and stays as it is.
    let (mut folder, left) = store.resume("20260101-000009", "s", "").unwrap();
    assert_eq!(folder.id(), "20260101-000009-s");
    assert_eq!(left.continues, Some(id));
    assert_eq!((left.resumed, left.stretch.number), (0, 1));
    assert_eq!(left.stretch.began, left.samples[3].at);
    assert_eq!((left.seed, left.samples.len()), (u64::MAX, 4));
    folder.sample(&sample(4, 0)).unwrap();
    drop(folder);
    let lines = |folder: &std::path::Path| {
        let text = fs::read_to_string(folder.join("samples.jsonl")).unwrap();
        text.lines().count()
    };
    assert_eq!(lines(&done), 4);
    let begun = dir.path().join("20260101-000009-s.partial");
    assert_eq!(lines(&begun), 5);
    assert!(matches!(
        store.resume("20260101-000009", "t", ""),
        Err(StoreError::NothingToResume { .. })
    ));
}

#[test]
fn the_newest_interrupted_run_of_the_study_is_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    begin(&store, "20260102-000000", "s");
    begin(&store, "20260101-000000", "s");
    begin(&store, "20260103-000000", "s-other");
    // The stamp of this one is older.
    finished(&store, "20260101-000001", "s", 1.0);
    let (folder, left) = store.resume("20260101-000009", "s", "").unwrap();
    assert_eq!(folder.id(), "20260102-000000-s");
    // It had measured nothing, but what was asked of it holds.
    assert_eq!(left.fingerprint, None);
    assert_eq!(left.seed, 7);
    assert!(left.samples.is_empty());
}

#[test]
fn a_line_cut_short_by_a_crash_is_dropped() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    let mut folder = begin(&store, "20260101-000000", "s");
    folder.sample(&sample(0, 0)).unwrap();
    folder.sample(&sample(0, 1)).unwrap();
    let file = folder.path().join("samples.jsonl");
    drop(folder);
    let text = fs::read_to_string(&file).unwrap();
    let cut = text.len() - 9;
    fs::write(&file, &text[..cut]).unwrap();

    let (mut folder, left) = store.resume("20260101-000009", "s", "").unwrap();
    assert_eq!(left.samples, [sample(0, 0)]);
    // What comes next begins a line of its own.
    folder.sample(&sample(0, 2)).unwrap();
    drop(folder);
    let (_, left) = store.resume("20260101-000009", "s", "").unwrap();
    assert_eq!(left.samples, [sample(0, 0), sample(0, 2)]);
}

#[test]
fn one_unreadable_line_costs_one_sample() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    let mut folder = begin(&store, "20260101-000000", "s");
    folder.sample(&sample(0, 0)).unwrap();
    let file = folder.path().join("samples.jsonl");
    folder.sample(&sample(0, 1)).unwrap();
    drop(folder);
    let text = fs::read(&file).unwrap();
    let first = text.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    let before = [&text[..first], b"\0\0\xff\0\n", &text[first..]].concat();
    fs::write(&file, &before).unwrap();
    let (_, left) = store.resume("20260101-000009", "s", "").unwrap();
    assert_eq!(left.samples, [sample(0, 0), sample(0, 1)]);
    assert_eq!(left.warnings.len(), 1, "{:?}", left.warnings);
    let kept = file.with_file_name("samples.damaged");
    assert!(left.warnings[0].contains("samples.damaged"));
    assert_eq!(fs::read(kept).unwrap(), before, "nothing is lost");
    assert!(
        store
            .resume("20260101-000009", "s", "")
            .unwrap()
            .1
            .warnings
            .is_empty()
    );
}

#[test]
fn a_run_of_the_same_text_comes_before_newer_ones() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    for (stamp, text) in [
        ("20260102-000000", "one"),
        ("20260102-000000", "one"),
        ("20260103-000000", "two"),
    ] {
        store.begin(stamp, "s", text, 1).unwrap();
    }
    let id = |text| {
        store
            .resume("20260101-000009", "s", text)
            .unwrap()
            .0
            .id()
            .to_owned()
    };
    assert_eq!(id("one"), "20260102-000000-s-2");
    assert_eq!(id("two"), "20260103-000000-s");
    assert_eq!(id("edited since"), "20260103-000000-s");
}

#[test]
fn what_holds_samples_is_not_discarded() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    let empty = begin(&store, "20260101-000000", "s");
    let place = empty.path().to_owned();
    assert_eq!(empty.discard(), None);
    assert!(!place.exists());

    let mut folder = begin(&store, "20260101-000000", "s");
    folder.sample(&sample(0, 0)).unwrap();
    assert_eq!(folder.discard(), Some(place.clone()));
    let (folder, _) = store.resume("20260101-000009", "s", "").unwrap();
    assert_eq!(folder.discard(), Some(place.clone()));
    assert_eq!(
        store.resume("20260101-000009", "s", "").unwrap().1.samples,
        [sample(0, 0)]
    );
}
