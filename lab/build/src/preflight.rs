//! What would keep a variant from being built, as far as that can be seen without building.

use crate::shell_script;
use karat_model::diagnostic::nearest;
use karat_model::study::{Builder, Cargo, Command, Variant};
use karat_process::{Command as Process, quote};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Longest time for cargo or rustc to answer; neither has to fetch anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// Variables, and `make`'s words, that name a tool of a build.
const TOOLS: [&str; 10] = [
    "CC", "CXX", "LD", "AR", "AS", "FC", "NM", "RANLIB", "RUSTC", "GO",
];

/// CMake's settings that do.
const CMAKE_TOOLS: [&str; 4] = [
    "-DCMAKE_C_COMPILER=",
    "-DCMAKE_CXX_COMPILER=",
    "-DCMAKE_LINKER=",
    "-DCMAKE_Fortran_COMPILER=",
];

/// What is missing for `variant`, in words; empty when nothing is known to be.
#[must_use]
pub fn obstacles(variant: &Variant, study_dir: &Path) -> Vec<String> {
    match &variant.builder {
        Builder::Cargo(cargo) => of_cargo(cargo, &study_dir.join(&cargo.dir.value)),
        Builder::Command(command) => of_command(command, &study_dir.join(&command.dir.value)),
        Builder::Binary(path) => of_binary(&study_dir.join(&path.value)),
    }
}

/// The file that is started when `program` is named in `dir`, if there is one.
#[must_use]
pub fn find_program(program: &str, path: Option<&str>, dir: &Path) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(dir.join(program)).filter(|file| executable(file));
    }
    let folders = path.map_or_else(|| std::env::var_os("PATH").unwrap_or_default(), Into::into);
    std::env::split_paths(&folders)
        .map(|folder| folder.join(program))
        .find(|file| executable(file))
}

fn executable(file: &Path) -> bool {
    std::fs::metadata(file).is_ok_and(|m| m.is_file() && m.permissions().mode() & 0o111 != 0)
}

fn of_binary(path: &Path) -> Vec<String> {
    let refused = karat_process::executable::unfit(path);
    let not_executable = || {
        (!executable(path)).then(|| {
            let shown = quote(&path.to_string_lossy());
            format!("it is not executable; `chmod +x {shown}` makes it so")
        })
    };
    let what = refused.or_else(not_executable);
    let said = what.map(|what| format!("{} cannot be run: {what}", path.display()));
    said.into_iter().collect()
}

fn of_command(command: &Command, dir: &Path) -> Vec<String> {
    let path = command.env.get("PATH").map(String::as_str);
    let mut named = vec![("the build command".to_owned(), command.command[0].as_str())];
    for word in &command.command[1..] {
        if let Some((name, tool)) = word.split_once('=').filter(|(n, _)| TOOLS.contains(n)) {
            named.push((format!("`{name}=`"), tool));
        }
        let tools = CMAKE_TOOLS.iter();
        for (name, tool) in tools.filter_map(|name| Some((name, word.strip_prefix(name)?))) {
            named.push((format!("`{name}`"), tool));
        }
    }
    for (name, tool) in &command.env {
        if TOOLS.contains(&name.as_str()) {
            named.push((format!("{name} in `env`"), tool.as_str()));
        }
    }
    let script = shell_script::script(&command.command).unwrap_or_default();
    for program in shell_script::programs(script) {
        named.push(("the build's script".to_owned(), program));
    }
    let mut out = Vec::new();
    for (who, program) in named {
        // `CC="ccache gcc"` starts its first word.
        let Some(program) = program.split_whitespace().next() else {
            continue;
        };
        if find_program(program, path, dir).is_none() {
            out.push(format!(
                "{who} names `{program}`, and no such program {}; install it, or name another",
                match program.contains('/') {
                    true => format!("is in {}", dir.display()),
                    false => "was found in PATH".to_owned(),
                }
            ));
        }
    }
    if let Some(said) = no_makefile(command, dir) {
        out.push(said);
    }
    if command.artifact.is_absolute() {
        out.push(format!(
            "`artifact` is the absolute path {}, and the build happens in a copy of `dir`; write \
             it relative to `dir`",
            command.artifact.display()
        ));
    }
    out
}

/// Whether plain `make` would find nothing to go by.
fn no_makefile(command: &Command, dir: &Path) -> Option<String> {
    let program = Path::new(&command.command[0]).file_name()?.to_str()?;
    let elsewhere = |w: &&String| {
        let long = ["--file", "--makefile", "--directory"];
        w.starts_with("-f") || w.starts_with("-C") || long.iter().any(|l| w.starts_with(l))
    };
    let asked =
        !["make", "gmake"].contains(&program) || command.command[1..].iter().any(|w| elsewhere(&w));
    let names = ["GNUmakefile", "makefile", "Makefile"];
    let found = names.iter().any(|name| dir.join(name).is_file());
    (!asked && !found).then(|| {
        format!(
            "the build command is `make`, and there is no Makefile in {}",
            dir.display()
        )
    })
}

fn of_cargo(cargo: &Cargo, dir: &Path) -> Vec<String> {
    let path = cargo.env.get("PATH").map(String::as_str);
    for program in ["cargo", "rustc"] {
        if find_program(program, path, dir).is_none() {
            return vec![format!("no `{program}` was found in PATH; install Rust")];
        }
    }
    let mut out = match metadata(dir) {
        Ok(answer) => of_package(cargo, dir, &answer),
        Err(said) => return vec![said],
    };
    let some = cargo.crate_rustflags.iter().flat_map(|c| &c.flags);
    let flags: Vec<&String> = cargo.rustflags.iter().chain(some).collect();
    if let Some(said) = refused_flags(&flags, dir) {
        out.push(said);
    }
    out
}

/// The programs of the cargo package or workspace in `dir`, those that `cargo run` starts by
/// itself first; and whether its lock file is there.
///
/// # Errors
/// In words, when cargo does not answer or does not like the package.
pub fn programs(dir: &Path) -> Result<(Vec<String>, bool), String> {
    let answer = metadata(dir)?;
    let packages = answer["packages"].as_array().map_or(&[][..], |p| &p[..]);
    let mut out: Vec<String> = packages
        .iter()
        .filter_map(|p| p["default_run"].as_str())
        .map(str::to_owned)
        .collect();
    for name in packages.iter().flat_map(bins) {
        if !out.iter().any(|known| known == name) {
            out.push(name.to_owned());
        }
    }
    let root = answer["workspace_root"].as_str().unwrap_or_default();
    Ok((out, Path::new(root).join("Cargo.lock").is_file()))
}

/// Names of a package's binary targets.
fn bins(package: &Value) -> Vec<&str> {
    let is_bin = |target: &&Value| {
        let kinds = target["kind"].as_array();
        kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == "bin"))
    };
    let targets = package["targets"].as_array().map_or(&[][..], |t| &t[..]);
    let names = targets.iter().filter(is_bin);
    names.filter_map(|target| target["name"].as_str()).collect()
}

/// What cargo says of the package in `dir`, without its dependencies.
fn metadata(dir: &Path) -> Result<Value, String> {
    let manifest = dir.join("Cargo.toml");
    let mut command = Process::new("cargo");
    command
        .current_dir(dir)
        .args([
            "metadata",
            "--format-version",
            "1",
            "--no-deps",
            "--offline",
        ])
        // From the folder that it runs in: `dir` may be relative.
        .args(["--manifest-path", "Cargo.toml"])
        .env("CARGO_ENCODED_RUSTFLAGS", "");
    let failed = |what: &str| format!("cargo cannot read {}: {what}", manifest.display());
    match karat_process::output(&mut command, PATIENCE) {
        Ok(Some(run)) if run.status.success() => {
            serde_json::from_slice(&run.stdout).map_err(|e| failed(&e.to_string()))
        }
        Ok(Some(run)) => Err(failed(String::from_utf8_lossy(&run.stderr).trim())),
        Ok(None) => Err(failed("it did not answer within a minute")),
        Err(error) => Err(failed(&error.to_string())),
    }
}

fn of_package(cargo: &Cargo, dir: &Path, answer: &Value) -> Vec<String> {
    let mut out = Vec::new();
    let packages = answer["packages"].as_array().map_or(&[][..], |p| &p[..]);
    let known: Vec<&str> = packages.iter().flat_map(bins).collect();
    if !known.contains(&cargo.bin.as_str()) {
        let known = match (nearest(&cargo.bin, &known), known.is_empty()) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, false) => format!("it has {}", known.join(", ")),
            (None, true) => "it has none: a study runs a program".to_owned(),
        };
        out.push(format!(
            "{} has no binary target `{}`; {known}",
            dir.join("Cargo.toml").display(),
            cargo.bin
        ));
    }
    let root = answer["workspace_root"].as_str().map(Path::new);
    if let Some(root) = root.filter(|root| !root.join("Cargo.lock").is_file()) {
        out.push(format!(
            "there is no Cargo.lock in {}, without which builds are not those of tomorrow; \
             `cargo generate-lockfile` there writes it",
            root.display()
        ));
    }
    // Without one package that has the program, whose features are meant is not known.
    let own: Vec<&Value> = packages
        .iter()
        .filter(|p| bins(p).contains(&cargo.bin.as_str()))
        .collect();
    if let [package] = own[..] {
        for feature in cargo.features.iter().filter(|f| !f.contains(['/', ':'])) {
            if package["features"].get(feature).is_none() {
                let name = package["name"].as_str().unwrap_or_default();
                out.push(format!("package `{name}` has no feature `{feature}`"));
            }
        }
    }
    out
}

/// Why rustc takes none of these flags, if it does not.
fn refused_flags(flags: &[&String], dir: &Path) -> Option<String> {
    if flags.is_empty() {
        return None;
    }
    let mut rustc = Process::new("rustc");
    rustc.current_dir(dir).args(["--print", "cfg"]).args(flags);
    let run = karat_process::output(&mut rustc, PATIENCE).ok()??;
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    let first = said.lines().find(|line| line.starts_with("error"))?;
    let words: Vec<String> = flags.iter().map(|flag| quote(flag)).collect();
    Some(format!(
        "rustc does not take the flags {}: {first}",
        words.join(" ")
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use karat_model::study::Study;

    /// Obstacles of the first variant of a study that has these lines in it.
    fn found(lines: &str, dir: &Path) -> Vec<String> {
        let text = format!(
            "schema = 1\nname = \"s\"\nbaseline = \"a\"\n[[variant]]\nname = \"a\"\n{lines}\n\
             [[variant]]\nname = \"b\"\nbinary = \"/bin/sh\"\n"
        );
        obstacles(&Study::parse(&text).unwrap().variants[0], dir)
    }

    #[test]
    fn programs_that_a_build_names_are_looked_for() {
        let dir = tempfile::tempdir().unwrap();
        let good = r#"command = ["sh", "-c", "cc x.c", "CC=sh -x"]
artifact = "x""#;
        assert_eq!(found(good, dir.path()), [""; 0]);
        let bad = r#"command = ["no-such-make", "CC=no-such-cc", "-DCMAKE_C_COMPILER=no-such-c"]
env = { CXX = "no-such-c++ -x" }
artifact = "/tmp/x""#;
        let all = found(bad, dir.path());
        for (said, name) in all.iter().zip([
            "`no-such-make`",
            "`no-such-cc`",
            "`no-such-c`",
            "`no-such-c++`",
            "absolute path",
        ]) {
            assert!(said.contains(name), "{said}");
        }
        assert_eq!(all.len(), 5);
        let script =
            "command = [\"sh\", \"-ec\", \"no-such-meson setup b && true\"]\nartifact = \"x\"";
        let all = found(script, dir.path());
        assert!(
            all.len() == 1 && all[0].contains("`no-such-meson`"),
            "{all:?}"
        );
        let make = "command = [\"make\"]\nartifact = \"x\"";
        let lacks = |said: &String| said.contains("no Makefile");
        assert!(found(make, dir.path()).iter().any(lacks));
        std::fs::write(dir.path().join("Makefile"), "").unwrap();
        assert!(!found(make, dir.path()).iter().any(lacks));
        let script = "command = [\"./build.sh\"]\nartifact = \"x\"";
        assert_eq!(found(script, dir.path()).len(), 1);
        std::fs::write(dir.path().join("build.sh"), "#!/bin/sh\n").unwrap();
        assert_eq!(found(script, dir.path()).len(), 1, "it is not executable");
        let mode = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(dir.path().join("build.sh"), mode).unwrap();
        assert_eq!(found(script, dir.path()), [""; 0]);
    }

    #[test]
    fn a_binary_that_is_no_program_is_told() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("data"), "x").unwrap();
        assert!(found("binary = \"data\"", dir.path())[0].contains("chmod +x"));
        assert!(found("binary = \".\"", dir.path())[0].contains("folder"));
        assert_eq!(found("binary = \"/bin/sh\"", dir.path()), [""; 0]);
    }

    #[test]
    fn cargo_and_rustc_are_asked_about_names_and_flags() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, text: &str| {
            let file = dir.path().join(name);
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, text).unwrap();
        };
        write(
            "Cargo.toml",
            "[package]\nname = \"tool\"\nedition = \"2021\"\n[features]\nfast = []\n[workspace]\n",
        );
        write("src/main.rs", "fn main() {}\n");
        write("Cargo.lock", "version = 4\n");
        let good = "cargo = \".\"\nbin = \"tool\"\nfeatures = [\"fast\"]\n\
                    rustflags = [\"-Ctarget-cpu=x86-64-v3\"]";
        assert_eq!(found(good, dir.path()), [""; 0]);
        let bad = "cargo = \".\"\nbin = \"toll\"\nrustflags = [\"-Cno-such-thing\"]";
        let all = found(bad, dir.path());
        assert!(all[0].contains("did you mean `tool`?"), "{all:?}");
        assert!(all[1].contains("no-such-thing"), "{all:?}");
        let bad = "cargo = \".\"\nbin = \"tool\"\nfeatures = [\"fats\"]";
        assert!(found(bad, dir.path())[0].contains("no feature `fats`"));
        std::fs::remove_file(dir.path().join("Cargo.lock")).unwrap();
        assert!(found(bad, dir.path())[0].contains("cargo generate-lockfile"));
    }
}
