//! The same for AArch64: programs of a cross compiler, under `qemu-aarch64`.

use karat_emulate::{ARM_MODELS, PATIENCE, Request, TryError, try_command};
use karat_model::tried::{Outcome, Tried};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// What each word makes it do.
const SOURCE: &str = r#"
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/wait.h>
#include <unistd.h>
#define APART __attribute__((noinline))
APART int atomic(int *p) {
    __asm__ volatile(".arch armv8.1-a\n ldadd w0, w1, [%0]" :: "r"(p) : "x0", "x1", "memory");
    return *p;
}
APART int dots(int *p) {
    __asm__ volatile(".arch armv8.2-a+dotprod\n sdot v0.4s, v1.16b, v2.16b" ::: "v0", "memory");
    return *p;
}
APART int scalable(int *p) {
    __asm__ volatile(".arch armv8.2-a+sve\n ptrue p0.b" ::: "memory");
    return *p;
}
int main(int c, char **v) {
    int x[8] = {c};
    const char *what = c > 1 ? v[1] : "";
    if (!strcmp(what, "lse")) return atomic(x) < 0;
    if (!strcmp(what, "dotprod")) return dots(x) < 0;
    if (!strcmp(what, "sve")) return scalable(x) < 0;
    if (!strcmp(what, "asks")) return getauxval(16) >> 8 & 1 ? atomic(x) < 0 : 0;
    if (!strcmp(what, "fork")) {
        if (!fork()) return dots(x);
        int status;
        wait(&status);
        return 0;
    }
    if (!strcmp(what, "segv")) return *(volatile int *)8;
    if (!strcmp(what, "ever")) for (;;) __asm__ volatile("");
    if (!strcmp(what, "has")) printf("%lx %lx", getauxval(16), getauxval(26));
    return 7;
}
"#;

/// A folder with the program; none, and a line that says so, without a compiler.
fn built(flags: &[&str]) -> Option<tempfile::TempDir> {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("p.c"), SOURCE).unwrap();
    let mut gcc = Command::new("aarch64-linux-gnu-gcc");
    gcc.args(["-O1", "-g", "p.c", "-o", "p"])
        .args(flags)
        .current_dir(dir.path());
    match gcc.status() {
        Ok(status) if status.success() => Some(dir),
        _ => {
            println!("SKIPPED: aarch64-linux-gnu-gcc fails on this machine");
            None
        }
    }
}

/// What came of a run; none, and a line that says so, without the emulator.
fn run(dir: &Path, what: &str, isa: &str, above: &[&str]) -> Option<Tried> {
    let command = [dir.join("p").display().to_string(), what.to_owned()];
    let above: Vec<String> = above.iter().map(|&name| name.to_owned()).collect();
    let tried = try_command(&Request {
        command: &command,
        environment: &[],
        isa,
        above: &above,
        patience: match what {
            "ever" => Duration::from_secs(2),
            _ => PATIENCE,
        },
        interrupt: &AtomicBool::new(false),
    });
    match tried {
        Ok(tried) => Some(tried),
        Err(error @ (TryError::NoQemu { .. } | TryError::NoLoader { .. })) => {
            println!("SKIPPED: {error}");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn the_instruction_it_dies_of_is_named() {
    for flags in [&[][..], &["-no-pie"], &["-static"], &["-static-pie"]] {
        let Some(dir) = built(flags) else { return };
        for (what, isa, function, mnemonic) in [
            ("lse", "armv8-a", "atomic", "ldadd"),
            ("dotprod", "armv8-a", "dots", "sdot"),
            ("sve", "armv8-a", "scalable", "[sve]"),
            ("fork", "armv8-a", "dots", "sdot"),
            ("sve", "armv8.4-a", "scalable", "[sve]"),
        ] {
            let Some(tried) = run(dir.path(), what, isa, &[]) else {
                return;
            };
            let place = format!("{flags:?} {what} {isa}");
            assert_eq!(tried.outcome, Outcome::Died, "{place}: {tried:?}");
            let died = tried.died.unwrap();
            assert_eq!(died.function.as_deref(), Some(function), "{place}");
            assert_eq!(died.mnemonic.as_deref(), Some(mnemonic), "{place}");
            assert!(died.file.unwrap().ends_with("/p"), "{place}");
            assert!(died.location.is_some(), "{place}");
        }
    }
}

#[test]
fn the_instruction_of_a_library_is_named() {
    let Some(dir) = built(&["-shared", "-fPIC", "-o", "libp.so", "-Dmain=other"]) else {
        return;
    };
    let user = "int other(int, char **); int main(int c, char **v) { return other(c, v); }";
    std::fs::write(dir.path().join("p.c"), user).unwrap();
    let linked = Command::new("aarch64-linux-gnu-gcc")
        .args(["p.c", "-o", "p", "-L.", "-lp", "-Wl,-rpath,$ORIGIN"])
        .current_dir(dir.path())
        .status();
    assert!(linked.unwrap().success());
    let Some(tried) = run(dir.path(), "lse", "armv8-a", &[]) else {
        return;
    };
    let died = tried.died.expect("it dies");
    assert_eq!(died.function.as_deref(), Some("atomic"));
    assert!(died.file.unwrap().ends_with("/libp.so"));
}

#[test]
fn the_cpu_lacks_what_is_to_be_tried() {
    let Some(dir) = built(&["-static"]) else {
        return;
    };
    for (what, dies) in [("sve", true), ("dotprod", true), ("lse", false)] {
        let Some(tried) = run(dir.path(), what, "armv8.2-a", &[what]) else {
            return;
        };
        assert_eq!(tried.outcome == Outcome::Died, dies, "{tried:?}");
        assert!(!tried.beyond.is_empty() && !tried.beyond.contains(&what.to_owned()));
    }
}

#[test]
fn what_lives_fails_or_does_not_end_is_told_apart() {
    let Some(dir) = built(&[]) else { return };
    let Some(lives) = run(dir.path(), "asks", "armv8-a", &[]) else {
        return;
    };
    assert_eq!((lives.outcome, lives.code), (Outcome::Lived, Some(0)));
    let run = |what| run(dir.path(), what, "armv8-a", &[]).unwrap();
    let fails = run("fail");
    assert_eq!((fails.outcome, fails.code), (Outcome::Failed, Some(7)));
    let ends = run("segv");
    assert_eq!((ends.outcome, ends.code), (Outcome::Failed, None));
    assert!(ends.died.is_none(), "{ends:?}");
    assert_eq!(run("ever").outcome, Outcome::TimedOut);
}

/// What [`ARM_MODELS`] says of each of QEMU's models, by what the kernel's words say there.
#[test]
fn the_models_have_what_the_table_says() {
    let Some(dir) = built(&["-static"]) else {
        return;
    };
    // Bits of AT_HWCAP, and of AT_HWCAP2 from 64 on: uapi/asm/hwcap.h of Linux.
    let bits = [
        ("aes", 3),
        ("sha2", 6),
        ("crc", 7),
        ("lse", 8),
        ("fp16", 9),
        ("rcpc", 15),
        ("sha3", 17),
        ("sm4", 19),
        ("dotprod", 20),
        ("sve", 22),
        ("rcpc2", 26),
        ("paca", 30),
        ("sve2", 65),
        ("i8mm", 77),
        ("bf16", 78),
        ("sme", 87),
    ];
    for (cpu, has) in ARM_MODELS {
        let mut qemu = Command::new("qemu-aarch64");
        let answer = qemu
            .args(["-cpu", cpu])
            .arg(dir.path().join("p"))
            .arg("has");
        let Ok(answer) = answer.output() else {
            println!("SKIPPED: qemu-aarch64 is not installed");
            return;
        };
        let text = String::from_utf8_lossy(&answer.stdout).into_owned();
        let words: Vec<u128> = text
            .split_whitespace()
            .map(|word| u128::from_str_radix(word, 16).unwrap())
            .collect();
        let [first, second] = words[..] else {
            println!("SKIPPED: this QEMU has no {cpu}");
            continue;
        };
        let all = first | second << 64;
        let mut told: Vec<&str> = (bits.iter())
            .filter(|(_, bit)| all >> bit & 1 == 1)
            .map(|(name, _)| *name)
            .collect();
        told.sort_unstable();
        assert_eq!(told, has, "{cpu}");
    }
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
    let nothing = refused(&[], "armv8-a");
    if matches!(nothing, TryError::NoQemu { .. }) {
        assert!(nothing.to_string().contains("apt install qemu-user"));
        println!("SKIPPED: {nothing}");
        return;
    }
    assert!(matches!(nothing, TryError::NoCommand));
    let here = std::env::current_exe().unwrap().display().to_string();
    let other = refused(&[&here], "armv8-a").to_string();
    assert!(
        other.contains("for x86-64") && other.contains("AArch64"),
        "{other}"
    );
    let text = refused(&["/etc/passwd"], "armv8-a").to_string();
    assert!(text.contains("ELF AArch64"), "{text}");
    let Some(dir) = built(&["-Wl,--dynamic-linker=/no/such/loader.so"]) else {
        return;
    };
    let program = dir.path().join("p").display().to_string();
    let loader = refused(&[&program], "armv8-a").to_string();
    assert!(loader.contains("/no/such/loader.so") && loader.contains("QEMU_LD_PREFIX"));
    // The other way round.
    let other = refused(&[&program], "x86-64-v2").to_string();
    assert!(other.contains("for AArch64"), "{other}");
}
