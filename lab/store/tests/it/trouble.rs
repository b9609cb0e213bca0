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
        let rows = store.history().unwrap();
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
fn a_damaged_state_cannot_be_resumed() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    let folder = begin(&store, "20260101-000000", "s");
    fs::write(folder.path().join("state.json"), "{").unwrap();
    let error = store.resume("s").unwrap_err();
    assert!(matches!(error, StoreError::NothingToResume { .. }));
    assert!(error.to_string().contains("no interrupted run of `s`"));
    fs::remove_file(folder.path().join("state.json")).unwrap();
    assert!(store.resume("s").is_err());
}

#[test]
fn missing_samples_are_an_error() {
    let dir = tempfile::tempdir().unwrap();
    let store = Store::at(dir.path());
    let folder = begin(&store, "20260101-000000", "s");
    fs::remove_file(folder.path().join("samples.jsonl")).unwrap();
    let message = store.resume("s").unwrap_err().to_string();
    assert!(message.contains("another karat"), "{message}");
    drop(folder);
    let message = store.resume("s").unwrap_err().to_string();
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
    assert!(store.history().unwrap().is_empty());
    assert!(store.resume("s").is_err());
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
fn a_read_only_folder_is_an_error() {
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
    let message = history.unwrap_err().to_string();
    assert!(message.contains("index.sqlite"), "{message}");
    assert!(evidence.is_ok(), "reading needs no writing");
}
