//! Damaged files and folders that cannot be used: a clear error, no panic.

use crate::sample::{begin, finished};
use karat_store::{Store, StoreError};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

#[test]
fn damaged_evidence_names_the_file_and_what_is_wrong() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    let (good, _) = finished(&store, "20260101-000000", "s", 1.5);
    let (bad, place) = finished(&store, "20260102-000000", "s", 1.5);
    let file = place.join("evidence.json");
    let text = fs::read_to_string(&file).unwrap();
    let later = text.replacen("\"schema\": 2", "\"schema\": 2, \"mood\": \"good\"", 1);
    for damage in [&text[..text.len() / 2], "", "[]", later.as_str()] {
        fs::write(&file, damage).unwrap();
        let error = store.evidence(&bad).unwrap_err();
        assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
        let message = error.to_string();
        assert!(message.contains("evidence.json"), "{message}");
        assert!(
            message.contains("not evidence that this karat can read"),
            "{message}"
        );
        let rows = store.history().unwrap().rows;
        assert_eq!(rows.len(), 1, "the others are still listed");
        assert_eq!(rows[0].id, good);
    }
    let message = {
        fs::write(&file, later).unwrap();
        store.evidence(&bad).unwrap_err().to_string()
    };
    assert!(message.contains("mood"), "{message}");
}

#[test]
fn evidence_that_cannot_be_read_is_told_beside_the_others() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    let (good, _) = finished(&store, "20260101-000000", "s", 1.5);
    let (_, place) = finished(&store, "20260102-000000", "s", 1.5);
    fs::write(place.join("evidence.json"), b"\xff\xfe").unwrap();
    let history = store.history().unwrap();
    assert_eq!(history.rows.len(), 1);
    assert_eq!(history.rows[0].id, good);
    let said: Vec<String> = history.damaged.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 1);
    assert!(
        said[0].contains("20260102-000000-s/evidence.json"),
        "{said:?}"
    );
}

#[test]
fn a_damaged_run_is_passed_over_and_named() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    let good = begin(&store, "20260101-000000", "s").path().to_owned();
    let bad = begin(&store, "20260102-000000", "s").path().to_owned();
    begin(&store, "20260103-000000", "other");
    let state = bad.join("state.json");
    for damage in [&b"{"[..], b"", b"\xff", b"{\"study\": \"s\"}"] {
        fs::write(&state, damage).unwrap();
        let (folder, left) = store.resume("20260101-000009", "s", "").unwrap();
        assert_eq!(folder.path(), good, "the older one is not hidden");
        let [warning] = &left.warnings[..] else {
            panic!("{:?}", left.warnings);
        };
        assert!(warning.contains("20260102-000000-s.partial"), "{warning}");
        assert!(warning.contains("state.json"), "{warning}");
        assert_eq!(fs::read(&state).unwrap(), damage, "nothing is changed");
    }
    // It is no business of another study, and of one with a longer name.
    let (_, left) = store.resume("20260101-000009", "other", "").unwrap();
    assert!(left.warnings.is_empty(), "{:?}", left.warnings);
    // So is one whose samples are gone.
    begin(&store, "20260102-000001", "s");
    fs::remove_file(dir.path().join("20260102-000001-s.partial/samples.jsonl")).unwrap();
    let (folder, left) = store.resume("20260101-000009", "s", "").unwrap();
    assert_eq!((folder.path(), left.warnings.len()), (&*good, 2));
}

#[test]
fn when_only_damaged_runs_are_left_each_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    for stamp in ["20260101-000000", "20260101-000000"] {
        let folder = begin(&store, stamp, "s");
        fs::write(folder.path().join("state.json"), "{").unwrap();
    }
    let error = store.resume("20260101-000009", "s", "").unwrap_err();
    assert!(matches!(error, StoreError::NothingToResume { .. }));
    let message = error.to_string();
    assert!(message.contains("no run of `s`"), "{message}");
    assert!(message.contains("20260101-000000-s.partial"), "{message}");
    assert!(message.contains("20260101-000000-s-2.partial"), "{message}");
    let error = store
        .resume("20260101-000009", "s2", "")
        .unwrap_err()
        .to_string();
    assert!(!error.contains("partial"), "{error}");
}

#[test]
fn missing_samples_are_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    let folder = begin(&store, "20260101-000000", "s");
    fs::remove_file(folder.path().join("samples.jsonl")).unwrap();
    let message = store
        .resume("20260101-000009", "s", "")
        .unwrap_err()
        .to_string();
    assert!(message.contains("another karat"), "{message}");
    drop(folder);
    let message = store
        .resume("20260101-000009", "s", "")
        .unwrap_err()
        .to_string();
    assert!(message.contains("samples.jsonl"), "{message}");
}

#[test]
fn a_run_that_is_not_there_says_where_it_looked() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(&dir.path().join("runs"));
    for run in ["latest", "20260101-000000-s", ""] {
        let error = store.evidence(run).unwrap_err();
        assert!(matches!(error, StoreError::NoSuchRun { .. }), "{error:?}");
        let message = error.to_string();
        assert!(
            message.contains("runs") && message.contains("karat history"),
            "{message}"
        );
    }
}

#[test]
fn a_file_in_the_place_of_the_folder_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("runs");
    fs::write(&root, "no folder").unwrap();
    let store = Store::at(&root);
    let error = store.begin("20260101-000000", "s", "", 1).unwrap_err();
    assert!(error.to_string().contains("runs"), "{error}");
    assert!(store.history().unwrap().rows.is_empty());
    assert!(store.resume("20260101-000009", "s", "").is_err());
}

#[test]
fn an_index_that_is_a_folder_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    fs::create_dir(dir.path().join("index.sqlite")).unwrap();
    let message = store.history().unwrap_err().to_string();
    assert!(message.contains("index.sqlite"), "{message}");
}

/// Whether permissions bind this user; they do not bind root.
fn permissions_bind(dir: &Path) -> bool {
    let probe = dir.join("probe");
    fs::create_dir(&probe).unwrap();
    fs::set_permissions(&probe, fs::Permissions::from_mode(0o500)).unwrap();
    fs::write(probe.join("x"), "").is_err()
}

#[test]
fn a_read_only_folder_can_be_read_and_not_written() {
    let dir = tempfile::tempdir().unwrap();
    if !permissions_bind(dir.path()) {
        println!("SKIPPED: permissions do not bind this user (root)");
        return;
    }
    let root = dir.path().join("runs");
    let store = Store::at(&root);
    let (id, _) = finished(&store, "20260101-000000", "s", 1.5);
    let mode = |mode| fs::set_permissions(&root, fs::Permissions::from_mode(mode)).unwrap();
    mode(0o500);
    let begun = store.begin("20260102-000000", "s", "", 1);
    let history = store.history();
    let evidence = store.evidence(&id);
    mode(0o700);
    let message = begun.unwrap_err().to_string();
    assert!(message.contains("20260102-000000-s.partial"), "{message}");
    assert_eq!(history.unwrap().rows.len(), 1, "reading needs no writing");
    assert!(evidence.is_ok());
}
