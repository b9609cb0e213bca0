//! The example `nmt_demo` on real files.
//!
//! Not on other architectures: there tests run in an emulator, which a process that a test
//! starts would not.
#![cfg(target_arch = "x86_64")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A folder that is removed in the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("karat-nmt-{name}-{}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Runs the example, which `cargo test` builds and puts beside the tests' folder.
    /// Returns its exit code and what it wrote.
    fn demo(&self, arguments: &[&str]) -> (i32, String, String) {
        let test = std::env::current_exe().unwrap();
        let folder = test.parent().and_then(Path::parent).unwrap();
        let program = folder.join("examples/nmt_demo");
        assert!(
            program.exists(),
            "build it first: cargo build -p karat-nmt --example nmt_demo"
        );
        let output = Command::new(program)
            .args(arguments)
            .current_dir(&self.0)
            .stdin(Stdio::null())
            .env_remove("KARAT_FORCE")
            .output()
            .unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (
            output.status.code().unwrap(),
            text(output.stdout),
            text(output.stderr),
        )
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
#[cfg_attr(miri, ignore = "starts processes")]
fn files_are_proved_and_verified() {
    let folder = Folder::new("files");
    for (name, content) in [("a", "one"), ("b", "two"), ("c", ""), ("d", "four")] {
        fs::write(folder.0.join(name), content).unwrap();
    }
    let leaves = ["1=a", "20=b", "20=c", "ff=d"];
    let (code, text, _) = folder.demo(&[&["root"][..], &leaves[..3]].concat());
    assert_eq!(code, 0);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 6, "{text}");
    assert!(lines[0].starts_with("1..20 ") && lines[0].ends_with(" leaves 0..3"));
    assert!(lines[2].starts_with("    1..1 ") && lines[2].ends_with(" a"));

    for (namespace, files) in [
        ("20", &["b", "c"][..]),
        ("ff", &["d"]),
        ("21", &[]),
        ("100", &[]),
    ] {
        let (code, text, _) = folder.demo(&[&["prove", namespace][..], &leaves].concat());
        assert_eq!(code, 0);
        let value = |name: &str| {
            let line = text.lines().find_map(|l| l.strip_prefix(name));
            line.unwrap().trim().to_owned()
        };
        let (root, proof) = (value("root"), value("proof"));
        let verify = |files: &[&str]| {
            let asked = ["verify", &root, &proof, namespace];
            folder.demo(&[&asked[..], files].concat())
        };
        let (code, text, error) = verify(files);
        assert_eq!(code, 0, "{namespace} {error}");
        assert!(text.starts_with("proved"));
        let (code, _, error) = verify(&["a"]);
        assert_eq!(code, 1);
        assert!(error.contains("not proved"), "{error}");
    }
    assert_eq!(folder.demo(&["root", "20=b", "1=a"]).0, 1);
    assert_eq!(folder.demo(&["root", "zz=b"]).0, 2);
    assert_eq!(folder.demo(&["root", "1=none"]).0, 1);
    assert_eq!(folder.demo(&[]).0, 2);
}

/// celestia-app, pkg/da/data_availability_header_test.go (Apache-2.0).
#[test]
#[cfg_attr(miri, ignore = "starts processes")]
fn data_roots_of_celestia_app() {
    let folder = Folder::new("dah");
    let typical = [&[0; 19][..], &[1; 10], &[0xff; 483]].concat().repeat(4);
    fs::write(folder.0.join("square"), &typical).unwrap();
    fs::write(folder.0.join("short"), &typical[1..]).unwrap();
    let (code, text, _) = folder.demo(&["dah", "square"]);
    let known = "b56e4d251ac266f4b91cc5464b3fc7efcbdc888064647496d13133f0dc65ac25\n";
    assert_eq!((code, text.as_str()), (0, known));
    assert_eq!(folder.demo(&["dah", "short"]).0, 1);
}
