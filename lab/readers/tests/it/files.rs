//! Files and folders.

use crate::{find, sample, sample_path};
use karat_readers::{criterion, read_path};
use std::path::Path;

fn message(path: &Path, reader: Option<&str>) -> String {
    read_path(path, reader).expect_err("refused").to_string()
}

#[test]
fn a_file_finds_its_reader() {
    for (reader, name) in crate::SAMPLES {
        let path = sample_path(name);
        let read = read_path(&path, None).expect("read");
        assert_eq!(
            read_path(&path, Some(reader)).expect("read"),
            read,
            "{name}"
        );
    }
}

#[test]
fn the_name_of_a_sample_stands_beside_it() {
    let path = sample_path("criterion/folder/group/fold_left/64/new/sample.json");
    let read = read_path(&path, None).expect("read");
    assert_eq!(
        find(&read, "group/fold/left/64", "time").repetitions.len(),
        10
    );
    // Alone, it has none.
    let alone = tempfile::tempdir().expect("folder");
    let copy = alone.path().join("sample.json");
    std::fs::copy(path, &copy).expect("copied");
    let read = read_path(&copy, None).expect("read");
    assert_eq!(find(&read, "sample", "time").repetitions.len(), 10);
}

#[test]
fn only_the_last_run_of_a_folder_is_read() {
    let folder = sample_path("criterion/folder");
    let read = criterion::folder(&folder).expect("read");
    let names: Vec<&str> = read.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "flat/a longer parameter than criterion prints on one line",
            "group/fold/left/4096",
            "group/fold/left/64",
            "group/sum/4096",
            "group/sum/64",
            "plain"
        ]
    );
    let plain = find(&read, "plain", "time");
    assert_eq!(plain.repetitions[0], 1_800_272.0 / 101_532.0);
    assert_eq!(read_path(&folder, Some("criterion")).expect("read"), read);
}

#[test]
fn what_cannot_be_read_is_named() {
    let folder = sample_path("criterion/folder");
    let said = message(&folder, Some("jmh"));
    assert!(said.ends_with("is a folder; jmh reads a file"), "{said}");
    let said = message(&folder, Some("nose"));
    assert!(said.starts_with("there is no reader `nose`; the readers are google-benchmark,"));
    let said = message(&sample_path("hyperfine/text.txt"), None);
    assert!(said.contains("no tool that karat reads"), "{said}");
    let said = message(&sample_path("missing"), None);
    assert!(said.contains("missing: No such file"), "{said}");
    let said = message(&sample_path("hyperfine/list.json"), Some("jmh"));
    assert!(said.contains("list.json: jmh: line 1"), "{said}");

    let empty = tempfile::tempdir().expect("folder");
    let said = message(empty.path(), None);
    assert!(said.contains("no measurement"), "{said}");

    let new = empty.path().join("a/new");
    std::fs::create_dir_all(&new).expect("folder");
    let text = sample("criterion/folder/plain/new/sample.json");
    std::fs::write(new.join("sample.json"), &text[..40]).expect("written");
    let said = message(empty.path(), None);
    assert!(said.contains("benchmark.json: No such file"), "{said}");
    let name = sample("criterion/folder/plain/new/benchmark.json");
    std::fs::write(new.join("benchmark.json"), &name).expect("written");
    let said = message(empty.path(), None);
    assert!(said.contains("sample.json: criterion: line 1, column 40: the text is cut off here"));

    // Two runs below one folder would be mixed up.
    std::fs::write(new.join("sample.json"), &text).expect("written");
    let other = empty.path().join("b/new");
    std::fs::create_dir_all(&other).expect("folder");
    std::fs::write(other.join("sample.json"), &text).expect("written");
    std::fs::write(other.join("benchmark.json"), &name).expect("written");
    let said = message(empty.path(), None);
    assert!(said.contains("`plain` is also in "), "{said}");
}

#[test]
fn a_group_may_be_called_new() {
    let target = tempfile::tempdir().expect("folder");
    let run = target.path().join("new/new");
    std::fs::create_dir_all(&run).expect("folder");
    for file in ["sample.json", "benchmark.json"] {
        let text = sample(&format!("criterion/folder/plain/new/{file}"));
        std::fs::write(run.join(file), text).expect("written");
    }
    assert_eq!(criterion::folder(target.path()).expect("read").len(), 1);
}
