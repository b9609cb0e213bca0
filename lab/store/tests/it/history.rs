//! The index: made from the folders, and nothing without them.

use crate::sample::{begin, finished};
use karat_store::{HistoryComparison, HistoryRow, Store};
use std::fs;

fn ids(store: &Store) -> Vec<String> {
    let rows = store.history().unwrap().rows;
    rows.into_iter().map(|r| r.id).collect()
}

/// Run and speed of each comparison of a study's runs, newest first.
fn speeds(store: &Store, study: &str) -> Vec<(String, f64)> {
    let rows = store.history().unwrap().rows.into_iter();
    rows.filter(|r| r.study == study)
        .flat_map(|r| {
            r.comparisons
                .into_iter()
                .map(move |c| (r.id.clone(), c.speed))
        })
        .collect()
}

#[test]
fn history_lists_finished_runs_newest_first() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    assert!(store.history().unwrap().rows.is_empty());
    let (first, _) = finished(&store, "20260101-000000", "s", 1.5);
    let (second, _) = finished(&store, "20260102-000000", "t", 0.5);
    begin(&store, "20260103-000000", "s");
    assert_eq!(ids(&store), [second, first.clone()]);
    let rows = store.history().unwrap().rows;
    assert_eq!(
        rows[1],
        HistoryRow {
            id: first,
            study: "s".into(),
            started: "20260101-000000Z".into(),
            verdict: Some("GO".into()),
            about: Some("tuned".into()),
            recommended: Some("tuned".into()),
            summary: "tuned: w FASTER.".into(),
            seconds: 12.5,
            samples: 2,
            cpu: "a CPU".into(),
            comparisons: vec![HistoryComparison {
                workload: "w".into(),
                variant: "tuned".into(),
                speed: 1.5,
                low: None,
                high: Some(9.0),
                judgement: "FASTER".into(),
            }],
        }
    );
}

#[test]
fn a_runs_folder_that_is_not_there_has_no_history() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("none");
    assert!(Store::at(&root).history().unwrap().rows.is_empty());
    assert!(!root.exists(), "asking makes nothing");
}

#[test]
fn each_run_tells_what_it_found() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    let (b, _) = finished(&store, "20260102-000000", "s", 1.5);
    let (a, _) = finished(&store, "20260101-000000", "s", 1.25);
    finished(&store, "20260103-000000", "other", 3.0);
    assert_eq!(speeds(&store, "s"), [(b, 1.5), (a, 1.25)]);
    let row = store.history().unwrap().rows.pop().unwrap();
    let found = &row.comparisons[0];
    assert_eq!(
        (found.workload.as_str(), found.variant.as_str()),
        ("w", "tuned")
    );
}

#[test]
fn a_deleted_index_is_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    finished(&store, "20260101-000000", "s", 1.5);
    finished(&store, "20260102-000000", "s", 1.5);
    let before = store.history().unwrap().rows;
    fs::remove_file(dir.path().join("index.sqlite")).unwrap();
    assert_eq!(store.history().unwrap().rows, before);
    assert_eq!(speeds(&store, "s").len(), 2);
}

#[test]
fn a_damaged_index_is_made_again() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    finished(&store, "20260101-000000", "s", 1.5);
    let before = store.history().unwrap().rows;
    fs::write(dir.path().join("index.sqlite"), [b'?'; 8192]).unwrap();
    assert_eq!(store.history().unwrap().rows, before);
}

#[test]
fn a_deleted_folder_leaves_history() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    let (_, place) = finished(&store, "20260101-000000", "s", 1.5);
    let (kept, _) = finished(&store, "20260102-000000", "s", 1.25);
    assert_eq!(ids(&store).len(), 2);
    fs::remove_dir_all(place).unwrap();
    assert_eq!(ids(&store), std::slice::from_ref(&kept));
    assert_eq!(speeds(&store, "s"), [(kept, 1.25)]);
}

#[test]
fn a_folder_from_elsewhere_enters_history() {
    let there = tempfile::tempdir().unwrap();
    let here = tempfile::tempdir().unwrap();
    let (id, place) = finished(&Store::at(there.path()), "20260101-000000", "s", 1.5);
    fs::rename(place, here.path().join(&id)).unwrap();
    assert_eq!(ids(&Store::at(here.path())), [id]);
    assert!(ids(&Store::at(there.path())).is_empty());
}

#[test]
fn many_stores_use_one_index_at_once() {
    const THREADS: u32 = 6;
    const RUNS: u32 = 4;
    let dir = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for thread in 0..THREADS {
            let root = dir.path();
            scope.spawn(move || {
                // No index yet: all of them want to make it.
                let store = Store::at(root);
                for run in 0..RUNS {
                    let study = format!("s{thread}");
                    finished(&store, &format!("20260101-00000{run}"), &study, 1.5);
                    let own = ids(&store).iter().filter(|id| id.ends_with(&study)).count();
                    assert_eq!(own, run as usize + 1, "a store sees its own runs");
                }
            });
        }
    });
    let store = Store::at(dir.path());
    assert_eq!(ids(&store).len(), (THREADS * RUNS) as usize);
    for thread in 0..THREADS {
        let found = speeds(&store, &format!("s{thread}"));
        assert_eq!(found.len(), RUNS as usize, "each run is entered once");
    }
}
