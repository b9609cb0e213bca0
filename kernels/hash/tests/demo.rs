//! The example `hash_demo` against coreutils, where that is here.
//!
//! Not on other architectures: there tests run in an emulator, which a process that a test
//! starts would not.
#![cfg(target_arch = "x86_64")]

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The example, which `cargo test` builds and puts beside the tests' folder.
fn demo() -> Command {
    let test = std::env::current_exe().unwrap();
    let folder = test.parent().and_then(Path::parent).unwrap();
    let program = folder.join("examples/hash_demo");
    assert!(
        program.exists(),
        "build it first: cargo build -p karat-hash --example hash_demo"
    );
    let mut command = Command::new(program);
    command.stdin(Stdio::null()).env_remove("KARAT_FORCE");
    command
}

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("karat-demo-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn run(command: &mut Command, folder: &Folder, args: &[&OsStr]) -> Output {
    command.args(args).current_dir(&folder.0).output().unwrap()
}

fn os<'a>(args: &[&'a str]) -> Vec<&'a OsStr> {
    args.iter().map(|arg| OsStr::new(*arg)).collect()
}

#[test]
#[cfg_attr(miri, ignore = "starts processes")]
fn lines_are_those_of_coreutils() {
    let folder = Folder::new("lines");
    let mut names = vec![
        "empty",
        "one",
        "with blank",
        "long",
        "back\\slash",
        "line\nbreak",
    ];
    for (i, name) in names.iter().enumerate() {
        let length = [0, 1, 64, 1_000_001, 1024, 129][i];
        let content: Vec<u8> = (0..length).map(|j| (j * 7 + i) as u8).collect();
        fs::write(folder.0.join(name), content).unwrap();
    }
    names.push("--");
    names.rotate_right(1);
    for (algorithm, program, options) in [
        ("sha256", "sha256sum", &[][..]),
        ("sha224", "sha224sum", &[]),
        ("blake2b-512", "b2sum", &[]),
        ("blake2b-256", "b2sum", &["--length=256"]),
        ("blake2b-384", "b2sum", &["--length=384"]),
    ] {
        let Ok(_) = Command::new(program).arg("--version").output() else {
            println!("SKIPPED: no {program} on this machine");
            continue;
        };
        let expected = run(Command::new(program).args(options), &folder, &os(&names));
        let found = run(
            demo().args(["--algorithm", algorithm]),
            &folder,
            &os(&names),
        );
        assert!(found.status.success(), "{found:?}");
        assert_eq!(
            String::from_utf8_lossy(&found.stdout),
            String::from_utf8_lossy(&expected.stdout),
            "{algorithm}"
        );
        assert!(found.stderr.is_empty(), "quiet where there is no terminal");
    }
}

#[test]
#[cfg_attr(miri, ignore = "starts processes")]
fn every_algorithm_of_the_list_works() {
    let folder = Folder::new("list");
    fs::write(folder.0.join("abc"), "abc").unwrap();
    let list = run(&mut demo(), &folder, &os(&["--list"]));
    let list = String::from_utf8(list.stdout).unwrap();
    let mut digests = Vec::new();
    for name in list.lines() {
        let out = run(&mut demo(), &folder, &os(&["-a", name, "-v", "abc"]));
        let text = String::from_utf8(out.stdout).unwrap();
        let (digest, file) = text.trim_end().split_once("  ").unwrap();
        assert_eq!(file, "abc");
        digests.push((name, digest.to_owned()));
        let told = String::from_utf8(out.stderr).unwrap();
        assert!(told.contains("MiB/s"), "{told}");
    }
    assert!(digests.len() >= 10);
    let of = |name| &digests.iter().find(|d| d.0 == name).unwrap().1[..8];
    assert_eq!((of("keccak256"), of("sha3-256")), ("4e03657a", "3a985da7"));
    assert_eq!((of("blake3"), of("blake2s-256")), ("6437b3ac", "508c5e8c"));
}

#[test]
#[cfg_attr(miri, ignore = "starts processes")]
fn a_missing_file_is_told_and_the_others_are_hashed() {
    let folder = Folder::new("missing");
    fs::write(folder.0.join("abc"), "abc").unwrap();
    let args = ["-a", "sha256", "nowhere", "abc", ".", "abc"];
    let out = run(&mut demo(), &folder, &os(&args));
    assert_eq!(out.status.code(), Some(1));
    let stdout = String::from_utf8(out.stdout).unwrap();
    assert_eq!(stdout.matches("ba7816bf").count(), 2, "{stdout}");
    let stderr = String::from_utf8(out.stderr).unwrap();
    assert!(
        stderr.contains("nowhere: ") && stderr.contains(".: "),
        "{stderr}"
    );
}

#[test]
#[cfg_attr(miri, ignore = "starts processes")]
fn stdin_is_a_file() {
    let folder = Folder::new("stdin");
    fs::write(folder.0.join("abc"), "abc").unwrap();
    for args in [&["-a", "sha256"][..], &["-a", "sha256", "-"]] {
        let stdin = fs::File::open(folder.0.join("abc")).unwrap();
        let out = run(demo().stdin(stdin), &folder, &os(args));
        let text = String::from_utf8(out.stdout).unwrap();
        assert!(
            text.starts_with("ba7816bf") && text.ends_with("  -\n"),
            "{text}"
        );
    }
}

#[test]
#[cfg_attr(miri, ignore = "starts processes")]
fn wrong_usage_is_told() {
    let folder = Folder::new("usage");
    for (args, word) in [
        (&["abc"][..], "--algorithm"),
        (&["-a"], "wants a name"),
        (&["-a", "md5", "abc"], "no algorithm `md5`"),
        (&["--fast"], "unknown option --fast"),
    ] {
        let out = run(&mut demo(), &folder, &os(args));
        assert_eq!(out.status.code(), Some(2), "{args:?}");
        assert!(
            String::from_utf8(out.stderr).unwrap().contains(word),
            "{args:?}"
        );
    }
    let mut forced = demo();
    let out = run(
        forced.env("KARAT_FORCE", "sha256=fast"),
        &folder,
        &os(&["-a", "sha256"]),
    );
    assert_eq!(out.status.code(), Some(2));
    assert!(
        String::from_utf8(out.stderr)
            .unwrap()
            .contains("no implementation `fast`")
    );
}
