//! The example `rs_demo`: files come back whole, and mistakes are told.
//!
//! Not on other architectures: there tests run in an emulator, which a process that a test
//! starts would not.
#![cfg(target_arch = "x86_64")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The example, which `cargo test` builds and puts beside the tests' folder.
fn demo() -> Command {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(Path::parent).unwrap();
    let program = folder.join("examples/rs_demo");
    assert!(
        program.exists(),
        "build it first: cargo build -p karat-erasure --example rs_demo"
    );
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).env_remove("KARAT_FORCE");
    command
}

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("karat-rs-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn run(&self, line: &str) -> Output {
        let mut command = demo();
        let command = command.args(line.split(' ')).current_dir(&self.0);
        command.output().unwrap()
    }

    fn text(&self, line: &str) -> String {
        let out = self.run(line);
        assert!(out.status.success(), "{line}: {out:?}");
        String::from_utf8(out.stdout).unwrap()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Bytes without a pattern that shards could share.
fn content(length: usize) -> Vec<u8> {
    let mut x = 1_u64;
    let next = |_| {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (x >> 33) as u8
    };
    (0..length).map(next).collect()
}

#[test]
#[cfg_attr(miri, ignore = "starts processes")]
fn damaged_files_come_back() {
    for (code, length) in [("A", 100_003), ("b", 1), ("C", 65_536), ("D", 0), ("C", 7)] {
        let folder = Folder::new(&format!("{code}-{length}"));
        let file = content(length);
        fs::write(folder.0.join("file"), &file).unwrap();
        let told = folder.text(&format!(
            "split --code {code} --data 6 --parity 5 file shards"
        ));
        assert!(told.contains("6 data + 5 parity shards"), "{told}");
        // One corrupt shard and three lost ones take all five.
        let told = folder.text("damage --lose 3 --corrupt 1 --seed 5 shards");
        assert_eq!(told.lines().count(), 4, "{told}");
        let told = folder.text("rebuild shards again");
        assert!(
            told.contains("lost: shard ") && told.contains("corrupt: shard "),
            "{told}"
        );
        assert!(
            fs::read(folder.0.join("again")).unwrap() == file,
            "{code} {length}"
        );
        // The shards are whole again.
        let told = folder.text("rebuild shards again");
        assert!(
            !told.contains("lost") && !told.contains("corrupt"),
            "{told}"
        );
        assert!(
            fs::read(folder.0.join("again")).unwrap() == file,
            "{code} {length}"
        );
    }
}

/// Without a shard left over parity does not show it, but its length does.
#[test]
#[cfg_attr(miri, ignore = "starts processes")]
fn a_shard_that_was_cut_is_lost() {
    let folder = Folder::new("cut");
    let file = content(9_999);
    fs::write(folder.0.join("file"), &file).unwrap();
    folder.text("split --code D --data 4 --parity 2 file shards");
    fs::remove_file(folder.0.join("shards/shard-00000")).unwrap();
    // A folder and what is no shard are left alone.
    fs::create_dir(folder.0.join("shards/other")).unwrap();
    fs::write(folder.0.join("shards/note"), "no shard").unwrap();
    let shard = folder.0.join("shards/shard-00002");
    let cut = fs::read(&shard).unwrap();
    fs::write(&shard, &cut[..cut.len() - 1]).unwrap();
    let told = folder.text("rebuild shards again");
    assert!(
        told.contains("taken as lost: shard 2") && told.contains("no shard is left over"),
        "{told}"
    );
    assert!(fs::read(folder.0.join("again")).unwrap() == file);
    assert!(fs::read(&shard).unwrap() == cut, "it is whole again");
}

#[test]
#[cfg_attr(miri, ignore = "starts processes")]
fn parity_is_raw_and_that_of_equal_shards() {
    let folder = Folder::new("parity");
    // Two shards: code A's first parity is not their sum, code B's of one parity shard is.
    fs::write(folder.0.join("file"), [1, 2, 3, 4, 16, 32, 64, 128]).unwrap();
    let out = folder.run("parity --code B --data 2 --parity 1 file");
    assert_eq!(out.stdout, [17, 34, 67, 132]);
    let out = folder.run("parity --code A --data 2 --parity 1 file");
    // The line through (0, a) and (1, b) at 2 is 3a + 2b.
    assert_eq!(out.stdout, [35, 70, 133, 17]);
    let out = folder.run("parity --code A --data 3 --parity 1 file");
    assert_eq!(out.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&out.stderr).contains("not 3 shards of one length"));
}

#[test]
#[cfg_attr(miri, ignore = "starts processes")]
fn what_cannot_be_done_is_told() {
    let folder = Folder::new("usage");
    fs::write(folder.0.join("file"), content(1000)).unwrap();
    for (line, code, word) in [
        ("mend shards", 2, "no command `mend`"),
        (
            "split --code E --data 2 --parity 1 file f",
            2,
            "no code `E`",
        ),
        (
            "split --code A --data two --parity 1 file f",
            2,
            "wants a number",
        ),
        ("split --code A --data 2 file f", 2, "--parity"),
        ("rebuild shards", 2, "wanted: FOLDER FILE"),
        (
            "parity --code A --data 2 --parity 1 --fast 1 file",
            2,
            "no option --fast",
        ),
        (
            "split --code A --data 200 --parity 100 file f",
            1,
            "256 together",
        ),
        (
            "split --code A --data 2 --parity 1 nowhere f",
            1,
            "cannot read nowhere",
        ),
        ("rebuild nowhere again", 1, "cannot read nowhere"),
        ("rebuild . again", 1, "no shards"),
    ] {
        let out = folder.run(line);
        let told = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(code), "{line}: {told}");
        assert!(told.contains(word), "{line}: {told}");
    }
    fs::create_dir(folder.0.join("folder")).unwrap();
    for (line, word) in [
        (
            "split --code A --data 2 --parity 1 folder f",
            "no regular file",
        ),
        (
            "split --code A --data 2 --parity 1 /dev/null f",
            "no regular file",
        ),
        (
            "split --code A --data 2 --parity 1 file file",
            "cannot make the folder file",
        ),
        ("parity --code A --data 2 --parity 1 folder", "cannot read"),
    ] {
        let out = folder.run(line);
        let told = String::from_utf8_lossy(&out.stderr).into_owned();
        assert_eq!(out.status.code(), Some(1), "{line}: {told}");
        assert!(told.contains(word), "{line}: {told}");
    }
    folder.text("split --code A --data 4 --parity 2 file shards");
    let out = folder.run("rebuild shards shards/shard-00001");
    let told = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(
        !out.status.success() && told.contains("among the shards"),
        "{told}"
    );
    folder.text("damage --lose 3 shards");
    let out = folder.run("rebuild shards again");
    let told = String::from_utf8_lossy(&out.stderr).into_owned();
    assert!(
        !out.status.success() && told.contains("find 1 more"),
        "{told}"
    );
    assert!(!folder.0.join("again").exists(), "nothing is written");
}
