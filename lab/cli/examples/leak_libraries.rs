//! What the search for leaks claims of libraries that people use, and what happens when
//! they run on an emulated CPU of the baseline.
//!
//! `cargo run --release -p karat --example leak_libraries -- KARAT FOLDER OUT [NAME]` audits
//! what `lab/audit/tests/leaks/libraries/list.txt` names in FOLDER with KARAT (`karat audit
//! … --isa x86-64-v2 --try -- python3 …`) and writes OUT. A FOLDER with wheels is another
//! list: each of them is audited and imported (`karat audit WHEEL --isa x86-64-v2 --try`), by
//! armv8-a where the wheel's name says that it is for AArch64. Wheels for Windows and macOS
//! are not imported: how their audits end, the processor's time and the memory are written
//! instead.
//! `records/leaks/README.md` says how the folders are made.

use karat_model::audit_document::AuditDocument;
use karat_model::leaks::{AboveBaseline, Certainty, Reach};
use karat_model::tried::Outcome;
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const COLUMNS: &str = "library,above,leaks (high),insufficient (high),guarded (high),unknown,\
                       exported,unreferenced,built for,run,where it died,claim there\n";
/// Of wheels for other systems.
const COLUMNS_ELSEWHERE: &str = "library,above,leaks (high),insufficient (high),guarded (high),\
                                 unknown,exported,unreferenced,built for,files,ended,seconds,MB\n";
/// A file takes seconds; this is for one that hangs.
const LONGEST: Duration = Duration::from_secs(900);

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let usage = "name the program karat, the folder, and the file for the record";
    let karat = std::path::absolute(args.next().ok_or(usage)?)?;
    let folder = std::path::absolute(args.next().ok_or(usage)?)?;
    let out = args.next().ok_or(usage)?;
    let only = args.next();
    let wheels = wheels(&folder)?;
    if wheels.iter().any(|wheel| is_for_another(wheel)) {
        return of_other_systems(&karat, &wheels, &out);
    }
    if !wheels.is_empty() {
        return of_wheels(&karat, &wheels, &out);
    }
    let lists = Path::new(env!("CARGO_MANIFEST_DIR")).join("../audit/tests/leaks/libraries");
    let lists = lists.canonicalize()?;
    let mut table = String::from(COLUMNS);
    for line in std::fs::read_to_string(lists.join("list.txt"))?.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [name, files, program] = words[..] else {
            continue;
        };
        if name == "#" || only.as_ref().is_some_and(|only| only != name) {
            continue;
        }
        let files: Vec<PathBuf> = files.split(',').map(|file| folder.join(file)).collect();
        let document = audit(&karat, &folder, &files, &lists.join(program))?;
        let row = row(name, &document);
        print!("{row}");
        table += &row;
    }
    if only.is_none() {
        std::fs::write(out, table)?;
    }
    Ok(())
}

/// The wheels of a folder, by name.
fn wheels(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let files = std::fs::read_dir(folder)?.flatten().map(|file| file.path());
    let mut wheels: Vec<PathBuf> = files
        .filter(|file| file.extension().is_some_and(|end| end == "whl"))
        .collect();
    wheels.sort();
    Ok(wheels)
}

/// Whether a wheel is for a system that is not this one.
fn is_for_another(wheel: &Path) -> bool {
    let name = wheel.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with("win_amd64.whl") || name.contains("-macosx_")
}

/// Audits wheels that cannot be imported here.
fn of_other_systems(karat: &Path, wheels: &[PathBuf], out: &str) -> Result<(), Box<dyn Error>> {
    let mut table = String::from(COLUMNS_ELSEWHERE);
    for wheel in wheels {
        let mut command = Command::new(karat);
        command.arg("audit").arg(wheel);
        command.args(["--isa", "x86-64-v2", "--format", "json"]);
        let done = karat_process::run(&mut command, LONGEST, &AtomicBool::new(false))?;
        eprint!("{}", String::from_utf8_lossy(&done.stderr));
        let name = wheel.file_name().unwrap_or_default().to_string_lossy();
        let name: Vec<&str> = name.splitn(3, '-').take(2).collect();
        let (name, ended) = (name.join(" "), done.ending);
        let row = match serde_json::from_slice::<AuditDocument>(&done.stdout) {
            Ok(document) => {
                let [counts, built] = claims(&document);
                let memory = done.peak_rss.unwrap_or(done.rss_floor) / 1_000_000;
                let (files, seconds) = (document.files.len(), done.cpu);
                format!("{name},{counts},{built},{files},{ended},{seconds:.1},{memory}\n")
            }
            Err(_) => format!("{name},,,,,,,,,,{ended},{:.1},\n", done.cpu),
        };
        print!("{row}");
        table += &row;
    }
    std::fs::write(out, table)?;
    Ok(())
}

/// Audits and imports wheels. Those without binaries are left out.
fn of_wheels(karat: &Path, wheels: &[PathBuf], out: &str) -> Result<(), Box<dyn Error>> {
    let mut table = String::from(COLUMNS);
    for wheel in wheels {
        let name = wheel.file_name().unwrap_or_default().to_string_lossy();
        let isa = match name.ends_with("aarch64.whl") {
            true => "armv8-a",
            false => "x86-64-v2",
        };
        let mut command = Command::new(karat);
        command.arg("audit").arg(wheel).args([
            "--isa",
            isa,
            "--format",
            "json",
            "--exit-zero",
            "--try",
        ]);
        let done = command.stderr(Stdio::inherit()).output()?;
        let Ok(document) = serde_json::from_slice::<AuditDocument>(&done.stdout) else {
            continue;
        };
        // Name and version.
        let name: Vec<&str> = name.splitn(3, '-').take(2).collect();
        let row = row(&name.join(" "), &document);
        print!("{row}");
        table += &row;
    }
    std::fs::write(out, table)?;
    Ok(())
}

/// Audits files and runs the program that uses them.
fn audit(
    karat: &Path,
    folder: &Path,
    files: &[PathBuf],
    program: &Path,
) -> Result<AuditDocument, Box<dyn Error>> {
    let mut command = Command::new(karat);
    command.arg("audit").args(files);
    command.args(["--isa", "x86-64-v2", "--format", "json", "--exit-zero"]);
    command
        .args(["--try", "--", "python3"])
        .arg(program)
        .args(files);
    command.env("PYTHONPATH", folder.join("site"));
    command.env(
        "LD_LIBRARY_PATH",
        folder.join("root/usr/lib/x86_64-linux-gnu"),
    );
    let done = command.stderr(Stdio::inherit()).output()?;
    Ok(serde_json::from_slice(&done.stdout)?)
}

/// How many functions are in each state, and for which level the files are built.
fn claims(document: &AuditDocument) -> [String; 2] {
    let reports: Vec<_> = (document.files.iter())
        .filter_map(|file| file.audit.leaks.as_ref())
        .collect();
    let functions = || reports.iter().flat_map(|report| &report.functions);
    let high = |reach: Reach| {
        let is_one = |f: &&AboveBaseline| f.reach == reach && f.confidence == Certainty::High;
        functions().filter(is_one).count()
    };
    let sum = |count: fn(&karat_model::leaks::LeakCounts) -> u64| -> u64 {
        reports.iter().map(|report| count(&report.counts)).sum()
    };
    // Of a library with several files, how many were.
    let mut built: BTreeMap<&str, usize> = BTreeMap::new();
    for report in &reports {
        if let Some(known) = &report.built_for {
            *built.entry(&known.level).or_default() += 1;
        }
    }
    let above = reports.iter().filter(|report| report.counts.above > 0);
    let above = above.count();
    let built: Vec<String> = (built.into_iter())
        .map(|(level, files)| match above {
            1 => level.into(),
            _ => format!("{level} ({files} of {above} files)"),
        })
        .collect();
    let built = built.join("; ");
    let counts = [
        sum(|c| c.above).to_string(),
        format!("{} ({})", sum(|c| c.leaks), high(Reach::Leak)),
        format!(
            "{} ({})",
            sum(|c| c.insufficient),
            high(Reach::Insufficient)
        ),
        format!("{} ({})", sum(|c| c.guarded), high(Reach::Guarded)),
        sum(|c| c.unknown).to_string(),
        sum(|c| c.exported).to_string(),
        sum(|c| c.unreferenced).to_string(),
    ];
    [counts.join(","), built]
}

fn row(name: &str, document: &AuditDocument) -> String {
    let [counts, built] = claims(document);
    let (mut run, mut place, mut claim) = (String::new(), String::new(), String::new());
    if let Some(tried) = &document.tried {
        run = match tried.outcome {
            Outcome::Died => "died".into(),
            Outcome::Lived => "lived".into(),
            Outcome::Failed => {
                // Where it was unpacked to is of one machine.
                let said = tried.said.lines().last().unwrap_or_default();
                let words = said
                    .split(' ')
                    .map(|word| word.rsplit('/').next().unwrap_or(word));
                format!("failed: {}", words.collect::<Vec<_>>().join(" "))
            }
            Outcome::TimedOut => "ran out of time".into(),
        };
        if let Some(died) = &tried.died {
            let file = died.file.as_deref().unwrap_or("code made while running");
            let file = file.rsplit('/').next().unwrap_or(file);
            let function = died.function.as_deref().unwrap_or("?");
            let mnemonic = died.mnemonic.as_deref().unwrap_or("?");
            place = format!("{mnemonic} in {function} of {file}");
            claim = died.claim.clone().unwrap_or_default();
        }
    }
    let text = |text: &str| text.replace([',', '\n'], ";");
    format!(
        "{name},{counts},{built},{},{},{}\n",
        text(&run),
        text(&place),
        text(&claim)
    )
}
