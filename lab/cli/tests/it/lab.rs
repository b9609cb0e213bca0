//! A folder to run karat in, and what it did there.

use karat_model::evidence::Evidence;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

/// A subject that does `WORK` times the work of the plain one and can go wrong
/// in every way. It reports its own CPU time, which other load hardly changes.
pub const PROGRAM: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#ifndef WORK
#define WORK 1
#endif
#ifndef DIGEST
#define DIGEST 1234
#endif
#ifdef BROKEN
#error "this variant cannot be built"
#endif
static unsigned long spin(unsigned long turns) {
    unsigned long x = 88172645463325252ul;
    while (turns--) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; }
    return x;
}
static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + t.tv_nsec * 1e-9;
}
int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (!strcmp(what, "selftest")) { printf("first\ndigest %d\nlast\n", DIGEST); return 0; }
    if (!strcmp(what, "silent")) return 0;
    if (!strcmp(what, "crash")) { fprintf(stderr, "about to crash\n"); abort(); }
    if (!strcmp(what, "fail")) { fprintf(stderr, "cannot go on\n"); return 7; }
    if (!strcmp(what, "hang")) for (;;) sleep(1);
    if (!strcmp(what, "stumble")) { /* fails in its argv[3]th run, once */
        FILE *runs = fopen(argv[2], "a");
        fputc('.', runs);
        long count = ftell(runs);
        fclose(runs);
        if (count == atol(argv[3])) abort();
    }
    if (!strcmp(what, "name")) { /* says in the file argv[2] who runs */
        FILE *names = fopen(argv[2], "a");
        fprintf(names, "%s\n", argv[0]);
        fclose(names);
    }
    if (!strcmp(what, "nap")) usleep(20000);
    double start = now();
    unsigned long x = spin(WORK * 600000ul);
    printf("{\"value\": %.9f, \"unit\": \"s\", \"check\": %lu}\n", now() - start, x & 1);
    return 0;
}
"#;

/// A study of [`PROGRAM`] in three variants: `lean` does a third of the
/// baseline's work, `heavy` three times as much.
pub fn study(rest: &str) -> String {
    let gcc = |flags: &str| {
        format!(r#"command = ["gcc", "-O2", "-g1", {flags}, "-o", "prog", "prog.c"]"#)
    };
    format!(
        r#"schema = 1
name = "tiny"
title = "Is less work faster?"
baseline = "plain"
candidate = "heavy"

[subject]
dir = "src"
artifact = "prog"
{plain}

[[variant]]
name = "plain"

[[variant]]
name = "lean"
why = "a third of the work"
{lean}

[[variant]]
name = "heavy"
{heavy}

[measure]
max-rounds = 10
margin = "50%"

{rest}"#,
        plain = gcc(r#""-DWORK=3""#),
        lean = gcc(r#""-DWORK=1""#),
        heavy = gcc(r#""-DWORK=9""#),
    )
}

/// One workload, measured by what the program prints.
pub fn workload(name: &str, args: &str) -> String {
    format!(
        "[[workload]]\nname = \"{name}\"\nargs = {args}\n\
         metric = {{ json = \"value\", name = \"time\", unit = \"s\", better = \"lower\" }}\n\n"
    )
}

/// The parity check of every tiny study.
pub const SELFTEST: &str = "[[parity]]\nname = \"selftest\"\nargs = [\"selftest\"]\n\n";

/// Whether `program` can be started; says so if a test has to be left out.
#[must_use]
pub fn have(program: &str) -> bool {
    let found = Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|s| s.success());
    if !found {
        println!("SKIPPED: no {program} on this machine");
    }
    found
}

/// A folder with a study in `study/` and runs in `runs/`.
pub struct Lab {
    dir: TempDir,
}

impl Lab {
    /// An empty one.
    pub fn empty() -> Self {
        Self {
            dir: tempfile::tempdir().expect("a temporary folder"),
        }
    }

    /// One with [`PROGRAM`] and this study.
    pub fn with(study: &str) -> Self {
        let lab = Self::empty();
        lab.write("study/study.toml", study);
        lab.write("study/src/prog.c", PROGRAM);
        lab
    }

    pub fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    pub fn write(&self, path: &str, text: &str) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        let path = self.path(path);
        fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
    }

    /// `karat ARGS` in this folder, undisturbed by the caller's settings.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_karat"));
        command
            .args(args)
            .current_dir(self.dir.path())
            .stdin(Stdio::null());
        for name in [
            "KARAT_FORCE",
            "KARAT_RUNS",
            "NO_COLOR",
            "CLICOLOR",
            "CLICOLOR_FORCE",
            "RUSTFLAGS",
            "CARGO_ENCODED_RUSTFLAGS",
            "CARGO_BUILD_TARGET",
            "RUSTC_WRAPPER",
        ] {
            command.env_remove(name);
        }
        command
    }

    /// Runs `karat ARGS` to its end.
    pub fn karat(&self, args: &[&str]) -> Outcome {
        Outcome::of(&mut self.command(args))
    }

    /// Runs `karat run study --runs runs ARGS` to its end.
    pub fn run(&self, args: &[&str]) -> Outcome {
        self.karat(&[&["run", "study", "--runs", "runs"], args].concat())
    }

    /// Folders of runs whose names end so, in the order of time.
    fn folders(&self, wanted: impl Fn(&Path) -> bool) -> Vec<PathBuf> {
        let Ok(entries) = fs::read_dir(self.path("runs")) else {
            return Vec::new();
        };
        let mut folders: Vec<PathBuf> = entries
            .map(|e| e.unwrap().path())
            .filter(|p| p.is_dir() && !p.ends_with("cache") && wanted(p))
            .collect();
        folders.sort();
        folders
    }

    /// Folders of finished runs, oldest first.
    pub fn finished(&self) -> Vec<PathBuf> {
        self.folders(|p| p.extension().is_none())
    }

    /// Folders of runs that have not ended, oldest first.
    pub fn partial(&self) -> Vec<PathBuf> {
        self.folders(|p| p.extension().is_some_and(|e| e == "partial"))
    }

    /// The evidence of the newest finished run.
    pub fn evidence(&self) -> Evidence {
        let folder = self.finished().pop().expect("a finished run");
        let text = fs::read_to_string(folder.join("evidence.json")).unwrap();
        serde_json::from_str(&text).expect("evidence that can be read")
    }

    /// Builds in the cache.
    pub fn builds(&self) -> usize {
        let Ok(entries) = fs::read_dir(self.path("runs/cache/builds")) else {
            return 0;
        };
        entries
            .filter(|e| e.as_ref().unwrap().path().join("record.json").is_file())
            .count()
    }
}

/// How a karat ended and what it said.
#[derive(Debug)]
pub struct Outcome {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Outcome {
    pub fn of(command: &mut Command) -> Self {
        let output = command.output().expect("karat starts");
        Self::from(output)
    }

    /// Fails the test, with all that was said, unless it ended with `code`.
    #[track_caller]
    pub fn exits(self, code: i32) -> Self {
        assert_eq!(
            self.code,
            Some(code),
            "exit code\n--- stdout\n{}\n--- stderr\n{}",
            self.stdout,
            self.stderr
        );
        self
    }

    /// Fails the test unless stderr holds each of `words`.
    #[track_caller]
    pub fn says(self, words: &[&str]) -> Self {
        for word in words {
            assert!(
                self.stderr.contains(word),
                "no `{word}` in stderr:\n{}",
                self.stderr
            );
        }
        self
    }
}

impl From<std::process::Output> for Outcome {
    fn from(output: std::process::Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
        }
    }
}

/// Measured runs, those made again because of a disturbance counted once.
pub fn firsts(evidence: &karat_model::evidence::Evidence) -> usize {
    evidence.samples.iter().filter(|s| s.attempt == 0).count()
}
