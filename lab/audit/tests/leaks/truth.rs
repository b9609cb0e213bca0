//! The programs of `programs.txt`: how they are built, what happens when they run on
//! emulated CPUs of the baseline, and what the search for leaks claims of them.

use karat_audit::{Baseline, leaks};
use karat_model::leaks::{Certainty, LeakReport, Reach};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// What the programs are meant for.
pub const BASELINE: &str = "x86-64-v2";

/// CPUs of the baseline that lack different things: all of AVX; AVX2 and BMI; AVX2 and
/// BMI2 (qemu's Piledriver lacks the BMI1 that the real one has); AVX-512.
pub const CPUS: [&str; 4] = ["Nehalem", "SandyBridge", "Opteron_G5,+bmi1", "Haswell"];

/// The same for AArch64: of the baseline itself; with LSE and dot products; with LSE and SVE;
/// with all that QEMU knows. QEMU 7.2 has no CPU without AES, SHA-2 and CRC.
pub const ARM_BASELINE: &str = "armv8-a";
pub const ARM_CPUS: [&str; 4] = ["cortex-a53", "neoverse-n1", "a64fx", "max"];
const ARM_GCC: &str = "aarch64-linux-gnu-gcc";
const ARM_GXX: &str = "aarch64-linux-gnu-g++";
const ARM_CLANG: &[&str] = &["clang", "--target=aarch64-linux-gnu", "-fuse-ld=lld", "-O2"];
/// Rust's name of the same.
const ARM_RUST: &str = "--target=aarch64-unknown-linux-gnu";
/// Where the libraries are that these programs are run with.
const ARM_ROOT: &str = "/usr/aarch64-linux-gnu";

/// Makes Windows programs; Wine runs them, emulated too.
const MINGW: &str = "x86_64-w64-mingw32-gcc";
/// Debian's Wine without its script.
const WINE: &str = "/usr/lib/wine/wine64";

/// Makes a shared library; with the start of a program in it, so that it can be run itself.
const SHARED: &str = "-shared";

/// glibc's, where Debian has it.
const START: &str = "/usr/lib/x86_64-linux-gnu/Scrt1.o";

/// Compilers and flags, by the end of a file's name.
const BUILDS: [(&str, &[&str]); 137] = [
    ("c", &["gcc", "-O2"]),
    ("c", &["gcc", "-O2", "-s"]),
    ("c", &["gcc", "-O0"]),
    ("c", &["gcc", "-O3", "-fno-pie", "-no-pie"]),
    ("c", &["clang", "-O2"]),
    ("c", &["clang", "-O2", "-s"]),
    ("c", &[MINGW, "-O2", "-s"]),
    ("c", &[MINGW, "-O0"]),
    ("cpp", &["g++", "-O2"]),
    ("cpp", &["g++", "-O2", "-s"]),
    ("cpp", &["clang++", "-O2"]),
    ("rs", &["rustc", "-O"]),
    ("rs", &["rustc", "-O", "-Cstrip=symbols"]),
    ("arm.c", &[ARM_GCC, "-O2"]),
    ("arm.c", &[ARM_GCC, "-O2", "-s"]),
    ("arm.c", &[ARM_GCC, "-O0"]),
    ("arm.c", &[ARM_GCC, "-O3", "-fno-pie", "-no-pie"]),
    ("arm.c", &[ARM_GCC, "-O1", "-mno-outline-atomics"]),
    ("arm.c", ARM_CLANG),
    (
        "arm.c",
        &[
            "clang",
            "--target=aarch64-linux-gnu",
            "-fuse-ld=lld",
            "-O0",
            "-s",
        ],
    ),
    (
        "arm.rs",
        &["rustc", "-O", "--target=aarch64-unknown-linux-gnu"],
    ),
    (
        "arm.rs",
        &[
            "rustc",
            "-O",
            "--target=aarch64-unknown-linux-gnu",
            "-Cstrip=symbols",
        ],
    ),
    ("arm2.c", &[ARM_GCC, "-O2"]),
    ("arm2.c", &[ARM_GCC, "-O3", "-s"]),
    (
        "arm2.c",
        &[
            "clang",
            "--target=aarch64-linux-gnu",
            "-fuse-ld=lld",
            "-O2",
            "-s",
        ],
    ),
    ("arm2.c", &[ARM_GCC, "-O2", "-s", "-flto", "-static"]),
    ("arm2.cpp", &[ARM_GXX, "-std=c++17", "-O2"]),
    ("arm2.cpp", &[ARM_GXX, "-std=c++17", "-O3", "-s"]),
    (
        "arm2.cpp",
        &[
            "clang++",
            "--target=aarch64-linux-gnu",
            "-fuse-ld=lld",
            "-std=c++17",
            "-O2",
            "-s",
        ],
    ),
    (
        "arm2.cpp",
        &[ARM_GXX, "-std=c++17", "-O2", "-s", "-flto", "-static"],
    ),
    ("arm2.rs", &["rustc", "-O", ARM_RUST]),
    (
        "arm2.rs",
        &[
            "rustc",
            "-O",
            ARM_RUST,
            "-Clto=fat",
            "-Cpanic=abort",
            "-Cstrip=symbols",
        ],
    ),
    ("unseen.c", &["gcc", "-O2"]),
    ("unseen.c", &["gcc", "-O0"]),
    ("unseen.c", &["gcc", "-O3", "-s", "-static"]),
    ("unseen.c", &["clang", "-O2", "-s"]),
    ("unseen.cpp", &["g++", "-O2"]),
    ("unseen.cpp", &["g++", "-O0"]),
    ("unseen.cpp", &["clang++", "-O2", "-s"]),
    ("unseen.rs", &["rustc", "-O"]),
    (
        "unseen.rs",
        &["rustc", "-O", "-Clto=fat", "-Cstrip=symbols"],
    ),
    ("third.c", &["gcc", "-O2"]),
    ("third.c", &["gcc", "-O0"]),
    ("third.c", &["gcc", "-O3", "-s", "-static"]),
    ("third.c", &["gcc", "-O2", "-fPIC", SHARED]),
    ("third.c", &["musl-gcc", "-O2", "-static"]),
    ("third.c", &["clang", "-O2", "-s", "-flto", "-fuse-ld=lld"]),
    ("third.c", &["clang", "-O3", "-fno-pie", "-no-pie"]),
    ("third.cpp", &["g++", "-O2"]),
    ("third.cpp", &["g++", "-O0"]),
    ("third.cpp", &["g++", "-O2", "-s", "-flto"]),
    ("third.cpp", &["g++", "-O3", "-fPIC", SHARED]),
    ("third.cpp", &["clang++", "-std=c++17", "-O2", "-s"]),
    ("third.rs", &["rustc", "-O"]),
    (
        "third.rs",
        &["rustc", "-Copt-level=1", "-Coverflow-checks=on"],
    ),
    ("third.rs", &["rustc", "-O", "-Clto=fat", "-Cstrip=symbols"]),
    (
        "third.rs",
        &["rustc", "-O", "--target=x86_64-unknown-linux-musl"],
    ),
    ("third", &["go"]),
    ("third", &["go", "-ldflags=-s -w"]),
    ("fourth.c", &["gcc", "-O2"]),
    ("fourth.c", &["gcc", "-O1", "-s"]),
    ("fourth.c", &["gcc", "-O3", "-s", "-static"]),
    ("fourth.c", &["clang", "-O2", "-s"]),
    ("fourth.c", &["gcc", "-Os", "-fPIC", SHARED]),
    ("fourth.cpp", &["g++", "-O2"]),
    ("fourth.cpp", &["g++", "-O1", "-s"]),
    ("fourth.cpp", &["clang++", "-std=c++17", "-O2", "-s"]),
    ("fourth.rs", &["rustc", "-O"]),
    (
        "fourth.rs",
        &["rustc", "-O", "-Clto=fat", "-Cstrip=symbols"],
    ),
    ("fifth.c", &["gcc", "-O2", "-s"]),
    ("fifth.c", &["gcc", "-Og", "-static"]),
    ("fifth.c", &["clang", "-O3", "-s"]),
    ("fifth.c", &["clang", "-O1", "-fPIC", SHARED]),
    ("fifth.cpp", &["g++", "-O2", "-s"]),
    ("fifth.cpp", &["g++", "-Og", "-fno-pie", "-no-pie"]),
    ("fifth.cpp", &["g++", "-O3", "-s", "-static-libstdc++"]),
    ("fifth.cpp", &["clang++", "-std=c++17", "-O2", "-s"]),
    ("fifth.rs", &["rustc", "-O", "-Cstrip=symbols"]),
    ("fifth.rs", &["rustc", "-Copt-level=s", "-Cpanic=abort"]),
    (
        "fifth.rs",
        &[
            "rustc",
            "-Copt-level=1",
            "-Cstrip=symbols",
            "--target=x86_64-unknown-linux-musl",
        ],
    ),
    ("sixth.c", &["gcc", "-O2", "-s"]),
    ("sixth.c", &["gcc", "-O1", "-static"]),
    ("sixth.c", &["clang", "-O2", "-flto", "-fuse-ld=lld"]),
    ("sixth.c", &["musl-gcc", "-O2", "-static"]),
    ("sixth.c", &["gcc", "-O3", "-fno-pie", "-no-pie"]),
    ("sixth.cpp", &["g++", "-std=c++17", "-O2", "-s"]),
    ("sixth.cpp", &["g++", "-std=c++17", "-O1"]),
    ("sixth.cpp", &["clang++", "-std=c++17", "-O2"]),
    ("sixth.cpp", &["g++", "-std=c++17", "-O2", "-static"]),
    ("sixth.rs", &["rustc", "-O"]),
    ("sixth.rs", &["rustc", "-O", "-Clto=fat", "-Cstrip=symbols"]),
    ("sixth.rs", &["rustc", "-Copt-level=1"]),
    (
        "sixth.rs",
        &["rustc", "--target=x86_64-unknown-linux-musl", "-O"],
    ),
    ("sixth", &["go"]),
    ("sixth", &["go", "-ldflags=-s -w"]),
    ("seventh.c", &["gcc", "-O2"]),
    ("seventh.c", &["gcc", "-O0", "-s"]),
    ("seventh.c", &["clang", "-O2", "-s"]),
    ("seventh.c", &["gcc", "-O2", "-flto", "-static"]),
    ("seventh.cpp", &["g++", "-std=c++17", "-O2"]),
    ("seventh.cpp", &["g++", "-std=c++17", "-O3", "-s", "-flto"]),
    ("seventh.cpp", &["clang++", "-std=c++17", "-O2", "-s"]),
    ("seventh.rs", &["rustc", "-O"]),
    (
        "seventh.rs",
        &[
            "rustc",
            "-Copt-level=3",
            "-Clto=fat",
            "-Cpanic=abort",
            "-Cstrip=symbols",
        ],
    ),
    ("seventh", &["go"]),
    ("seventh", &["go", "-ldflags=-s -w"]),
    ("eighth.c", &["gcc", "-O2"]),
    ("eighth.c", &["gcc", "-O1", "-s"]),
    ("eighth.c", &["clang", "-O3", "-s"]),
    ("eighth.c", &["gcc", "-O3", "-s", "-flto", "-static"]),
    ("eighth.c", &["musl-gcc", "-Os", "-static"]),
    ("eighth.cpp", &["g++", "-std=c++20", "-O2"]),
    (
        "eighth.cpp",
        &["g++", "-std=c++20", "-O1", "-s", "-fno-pie", "-no-pie"],
    ),
    ("eighth.cpp", &["clang++", "-std=c++20", "-O3", "-s"]),
    (
        "eighth.cpp",
        &["g++", "-std=c++20", "-O2", "-flto", "-static"],
    ),
    ("eighth.rs", &["rustc", "-O"]),
    (
        "eighth.rs",
        &["rustc", "-O", "-Clto=thin", "-Cstrip=symbols"],
    ),
    (
        "eighth.rs",
        &[
            "rustc",
            "-Copt-level=2",
            "-Cpanic=abort",
            "--target=x86_64-unknown-linux-musl",
        ],
    ),
    ("eighth", &["go"]),
    ("eighth", &["go", "-ldflags=-s -w"]),
    ("ninth.c", &["gcc", "-O2", "-s"]),
    ("ninth.c", &["gcc", "-O1"]),
    ("ninth.c", &["gcc", "-O2", "-fPIC", SHARED]),
    ("ninth.c", &["gcc", "-O3", "-s", "-flto", "-static"]),
    ("ninth.c", &["musl-gcc", "-O2", "-static"]),
    ("ninth.c", &["clang", "-O3", "-s"]),
    ("ninth.cpp", &["g++", "-std=c++20", "-O2", "-s"]),
    ("ninth.cpp", &["g++", "-std=c++20", "-O1", "-fPIC", SHARED]),
    ("ninth.cpp", &["clang++", "-std=c++20", "-O2"]),
    (
        "ninth.cpp",
        &["g++", "-std=c++20", "-O3", "-s", "-flto", "-static"],
    ),
    ("ninth.rs", &["rustc", "-O", "-Cstrip=symbols"]),
    (
        "ninth.rs",
        &["rustc", "-Copt-level=3", "-Clto=fat", "-Cpanic=abort"],
    ),
    (
        "ninth.rs",
        &["rustc", "--target=x86_64-unknown-linux-musl", "-O"],
    ),
    ("ninth", &["go"]),
    ("ninth", &["go", "-ldflags=-s -w"]),
    ("go", &["go"]),
    ("go", &["go", "-ldflags=-s -w"]),
];

/// One program in one build.
pub struct Case {
    pub name: String,
    pub file: String,
    pub options: Vec<String>,
    pub build: Vec<String>,
}

impl Case {
    /// As the labels name it.
    pub fn label(&self) -> String {
        format!("{},{}", self.name, self.build.join(" "))
    }
}

pub fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/leaks")
}

/// All programs in all builds.
pub fn cases() -> Vec<Case> {
    cases_of("programs.txt")
}

/// The programs of a list, in all builds that the ends of their files have.
pub fn cases_of(list: &str) -> Vec<Case> {
    let text = std::fs::read_to_string(directory().join(list)).expect("the list");
    let mut out = Vec::new();
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let mut words = line.split_whitespace().map(str::to_owned);
        let (Some(name), Some(file)) = (words.next(), words.next()) else {
            continue;
        };
        let options: Vec<String> = words.collect();
        let end = match file.split_once('.') {
            Some((_, end)) => end.to_owned(),
            None => file.clone(),
        };
        for (_, build) in BUILDS.iter().filter(|(of, _)| *of == end) {
            out.push(Case {
                name: name.clone(),
                file: file.clone(),
                options: options.clone(),
                build: build.iter().map(|word| (*word).to_owned()).collect(),
            });
        }
    }
    out
}

/// Builds a case; an error says what the compiler did.
pub fn build(case: &Case, out: &Path) -> Result<(), String> {
    let file = directory().join(&case.file);
    let compiler = case.build[0].as_str();
    let mut command = Command::new(compiler);
    match compiler {
        "go" => {
            command
                .current_dir(&file)
                .args(["build", "-trimpath"])
                .args(&case.build[1..]);
            command
                .arg(format!("-tags={}", case.options.join(",")))
                .arg("-o")
                .arg(out);
            command
                .env("GOAMD64", "v1")
                .env("CGO_ENABLED", "0")
                .arg(".");
        }
        "rustc" => {
            command.args(["--edition=2024", "-Ccodegen-units=1", "-Anon_snake_case"]);
            if case.build.iter().any(|word| word == ARM_RUST) {
                command.arg(format!("-Clinker={ARM_GCC}"));
            }
            // Of its own a name with a dot makes none.
            command.arg("--crate-name=detect");
            command
                .args(["-Aunexpected_cfgs", "-Adead_code"])
                .args(&case.build[1..]);
            for option in &case.options {
                command.arg("--cfg").arg(option);
            }
            command.arg(file).arg("-o").arg(out);
        }
        _ => {
            command.args(&case.build[1..]).arg("-w");
            command.args(
                case.options
                    .iter()
                    .map(|option| match option.starts_with("-") {
                        true => option.clone(),
                        false => format!("-D{option}"),
                    }),
            );
            command.arg(file).arg("-o").arg(out);
            if case.build.iter().any(|word| word == SHARED) {
                command.args([START, "-Wl,-e,_start", "-lpthread", "-DSHARED"]);
            }
            // The run-time library is part of the program, as it is on other systems.
            if compiler == MINGW {
                command.arg("-static");
            }
        }
    }
    let done = command
        .output()
        .map_err(|error| format!("{compiler}: {error}"))?;
    if done.status.success() && compiler == MINGW {
        // It adds what names of Windows programs end in.
        let named = out.with_extension("exe");
        std::fs::rename(named, out).map_err(|error| error.to_string())?;
    }
    match done.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&done.stderr).into_owned()),
    }
}

/// The emulated CPUs on which a program dies of an instruction that they lack.
///
/// # Errors
/// That the emulator is not there, or the program ends in another way than it should.
///
/// A Windows program is run by Wine, which is emulated with it: `WINELOADERNOEXEC` keeps it
/// from starting itself anew outside of the emulator.
pub fn dies_on(program: &Path) -> Result<Vec<&'static str>, String> {
    let bytes = std::fs::read(program).map_err(|error| error.to_string())?;
    match is_arm(&bytes) {
        true => dies_of(program, &bytes, "qemu-aarch64", &ARM_CPUS),
        false => dies_of(program, &bytes, "qemu-x86_64", &CPUS),
    }
}

/// The same of given CPUs.
///
/// # Errors
/// As [`dies_on`].
pub fn dies_of(
    program: &Path,
    bytes: &[u8],
    emulator: &str,
    cpus: &[&'static str],
) -> Result<Vec<&'static str>, String> {
    use std::os::unix::process::ExitStatusExt;
    let is_windows = bytes.starts_with(b"MZ");
    let mut out = Vec::new();
    // What the programs compute with is their number of arguments: some of those for AArch64
    // come to code above the baseline with many only.
    let arguments: &[usize] = if is_arm(bytes) { &[0, 200] } else { &[0] };
    for (cpu, count) in cpus
        .iter()
        .flat_map(|cpu| arguments.iter().map(move |n| (*cpu, *n)))
    {
        if out.last() == Some(&cpu) {
            continue;
        }
        let mut command = Command::new(emulator);
        command.args(["-cpu", cpu]);
        if is_arm(bytes) {
            command.args(["-L", ARM_ROOT]);
        }
        if is_windows {
            // Wine goes by the end of a name.
            let named = program.with_extension("exe");
            std::fs::copy(program, &named).map_err(|error| error.to_string())?;
            command.arg(WINE).arg(named);
            command.env("WINELOADERNOEXEC", "1");
        } else {
            command.arg(program);
        }
        command.args(vec!["x"; count]);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(if is_windows {
                Stdio::piped()
            } else {
                Stdio::null()
            });
        let done = command
            .output()
            .map_err(|error| format!("{emulator}: {error}"))?;
        let status = done.status;
        // Wine says so; how it ends then depends on its debugger.
        let died = String::from_utf8_lossy(&done.stderr).contains("Unhandled illegal instruction");
        // Some of them say that the CPU will not do: by exit 3, by a panic (101).
        let ends_by = status
            .signal()
            .or(status.code().filter(|code| *code > 128).map(|c| c - 128));
        match (ends_by, status.code()) {
            _ if died => out.push(cpu),
            // Go's run-time catches it and ends by 2.
            (Some(4), _) | (_, Some(2)) if !is_windows => out.push(cpu),
            (None, Some(0 | 3 | 101)) => {}
            _ => return Err(format!("on {cpu} it ends by {status}")),
        }
    }
    Ok(out)
}

/// Whether the header says AArch64.
pub fn is_arm(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x7fELF") && bytes.get(18..20) == Some(&[183, 0])
}

/// What the audit says of a program as a whole.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Claim {
    /// A leak, or a gate that is not enough.
    Dies(Certainty),
    Unknown,
    /// All that is above the baseline is guarded, or nothing leads there.
    Lives(Certainty),
}

pub fn claim(bytes: &[u8]) -> (Claim, LeakReport) {
    let baseline = match is_arm(bytes) {
        true => ARM_BASELINE,
        false => BASELINE,
    };
    let baseline = Baseline::parse(baseline).expect("a level");
    let report = leaks(bytes, &baseline).expect("a sound binary");
    let of = |reach: Reach| report.functions.iter().filter(move |f| f.reach == reach);
    let bad = of(Reach::Leak)
        .chain(of(Reach::Insufficient))
        .map(|f| f.confidence)
        .max();
    let claim = match bad {
        Some(sure) => Claim::Dies(sure),
        None if of(Reach::Unknown)
            .chain(of(Reach::Exported))
            .next()
            .is_some() =>
        {
            Claim::Unknown
        }
        None => {
            let sure = of(Reach::Guarded)
                .chain(of(Reach::Unreferenced))
                .map(|f| f.confidence)
                .min();
            Claim::Lives(sure.unwrap_or(Certainty::High))
        }
    };
    (claim, report)
}
