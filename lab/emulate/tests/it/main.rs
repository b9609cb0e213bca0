//! Programs that die and programs that live, under the emulator.
#![cfg(all(target_arch = "x86_64", target_os = "linux"))]

mod arm;

use karat_emulate::{PATIENCE, Request, TryError, try_command};
use karat_model::tried::{Outcome, Tried};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;

/// With `fork` it dies in a child, with `exec` it leaves the emulator, with `live` it does
/// not get there.
const SOURCE: &str = r#"
#include <immintrin.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
__attribute__((target("avx2"), noinline)) int wide(int *p) {
    __m256i a = _mm256_loadu_si256((void *)p);
    _mm256_storeu_si256((void *)p, _mm256_add_epi32(a, a));
    return p[0];
}
int main(int c, char **v) {
    int x[8] = {c};
    const char *what = c > 1 ? v[1] : "";
    if (!strcmp(what, "live")) return 0;
    if (!strcmp(what, "fail")) return 7;
    if (!strcmp(what, "exec")) { execl("/bin/true", "true", (char *)0); return 1; }
    if (!strcmp(what, "fork")) {
        if (!fork()) return wide(x);
        int status;
        wait(&status);
        return 0;
    }
    return wide(x) == 0;
}
"#;

/// A folder with the program; none, and a line that says so, without a compiler.
fn built(flags: &[&str]) -> Option<tempfile::TempDir> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.c"), SOURCE).unwrap();
    let mut gcc = Command::new("gcc");
    gcc.args(["-O1", "-g", "p.c", "-o", "p"])
        .args(flags)
        .current_dir(dir.path());
    match gcc.status() {
        Ok(status) if status.success() => Some(dir),
        _ => {
            println!("SKIPPED: gcc fails on this machine");
            None
        }
    }
}

fn run(dir: &Path, what: &str, isa: &str) -> Option<Tried> {
    let command = [dir.join("p").display().to_string(), what.to_owned()];
    let tried = try_command(&Request {
        command: &command,
        environment: &[],
        isa,
        above: &[],
        patience: PATIENCE,
        interrupt: &AtomicBool::new(false),
    });
    match tried {
        Ok(tried) => Some(tried),
        Err(error @ TryError::NoQemu { .. }) => {
            println!("SKIPPED: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_instruction_it_dies_of_is_named() {
    for flags in [&[][..], &["-no-pie"], &["-static"]] {
        let Some(dir) = built(flags) else { return };
        for what in ["die", "fork"] {
            let Some(tried) = run(dir.path(), what, "x86-64-v2") else {
                return;
            };
            assert_eq!(tried.outcome, Outcome::Died, "{flags:?} {what}: {tried:?}");
            let died = tried.died.unwrap();
            assert_eq!(died.function.as_deref(), Some("wide"), "{flags:?} {what}");
            assert!(died.mnemonic.unwrap().starts_with('v'));
            assert!(died.file.unwrap().ends_with("/p"));
            assert!(died.location.is_some());
        }
    }
}

#[test]
fn what_lives_fails_or_leaves_is_told_apart() {
    let Some(dir) = built(&[]) else { return };
    let Some(lives) = run(dir.path(), "live", "x86-64-v2") else {
        return;
    };
    assert_eq!((lives.outcome, lives.code), (Outcome::Lived, Some(0)));
    let fails = run(dir.path(), "fail", "x86-64-v2").unwrap();
    assert_eq!((fails.outcome, fails.code), (Outcome::Failed, Some(7)));
    let leaves = run(dir.path(), "exec", "x86-64-v2").unwrap();
    assert_eq!(leaves.left, ["/bin/true"]);
    // The same program on a CPU that has what it needs.
    let has = run(dir.path(), "die", "x86-64-v3").unwrap();
    assert_ne!(has.outcome, Outcome::Died, "{has:?}");
}

#[test]
fn what_cannot_be_run_is_said() {
    let refused = |command: &[&str], isa: &str| {
        let command: Vec<String> = command.iter().map(|&word| word.to_owned()).collect();
        try_command(&Request {
            command: &command,
            environment: &[],
            isa,
            above: &[],
            patience: PATIENCE,
            interrupt: &AtomicBool::new(false),
        })
        .unwrap_err()
    };
    assert!(matches!(
        refused(&["x"], "x86-64-v4"),
        TryError::NoSuchCpu { .. }
    ));
    if matches!(refused(&[], "x86-64-v2"), TryError::NoQemu { .. }) {
        println!("SKIPPED: qemu-x86_64 is not installed");
        return;
    }
    assert!(matches!(refused(&[], "x86-64-v2"), TryError::NoCommand));
    let missing = refused(&["/no/such/program"], "x86-64-v2");
    assert!(matches!(missing, TryError::NotFound { .. }));
    let text = refused(&["/etc/passwd"], "x86-64-v2");
    assert!(matches!(text, TryError::NoProgram { .. }));
    let flag = refused(&["/bin/true"], "x86-64-v2+nosuchthing");
    assert!(flag.to_string().contains("nosuchthing"), "{flag}");
}
