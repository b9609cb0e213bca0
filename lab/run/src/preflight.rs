//! What would keep a study from running here, as far as that can be seen without building.

use crate::Plan;
use karat_build::preflight::{find_program, obstacles};
use karat_model::study::{MetricSource, Study, Surroundings, Workload};
use std::path::{Path, PathBuf};

/// Something that is not as the study needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// Whose it is, such as ``variant `native` ``; several where it is the same for them.
    pub who: String,
    /// What is missing, and what to do.
    pub what: String,
    /// Whether the run would fail. Else it might: a word looks like a file that is not there.
    pub certain: bool,
}

/// Looks at everything that `study` names; `folder` is that of the study file.
#[must_use]
pub fn check(study: &Study, plan: &Plan, folder: &Path) -> Vec<Obstacle> {
    let mut out = Vec::new();
    for i in plan.active() {
        let variant = &study.variants[i];
        let who = format!("variant `{}`", variant.name.value);
        let found = obstacles(variant, folder);
        let around = surroundings(&variant.run, folder);
        let all = found.into_iter().chain(around);
        out.extend(all.map(|what| certain(&who, what)));
    }
    for workload in &study.workloads {
        let who = format!("workload `{}`", workload.name);
        let around = surroundings(&workload.run, folder).into_iter();
        let all = around.chain(metrics(workload));
        out.extend(all.map(|what| certain(&who, what)));
        let dirs = working_folders(study, plan, &workload.run, folder);
        let missing = files(&workload.args).filter(|file| !dirs.iter().any(|d| exists(d, file)));
        // What is made before a run need not be there now.
        if workload.run.setup.is_none() {
            out.extend(missing.map(|file| doubtful(&who, file, &dirs)));
        }
    }
    for check in &study.parity {
        let who = format!("parity check `{}`", check.name);
        let dirs = working_folders(study, plan, &Surroundings::default(), folder);
        let missing = files(&check.args).filter(|file| !dirs.iter().any(|d| exists(d, file)));
        out.extend(missing.map(|file| doubtful(&who, file, &dirs)));
    }
    together(out)
}

fn certain(who: &str, what: String) -> Obstacle {
    Obstacle {
        who: who.to_owned(),
        what,
        certain: true,
    }
}

fn doubtful(who: &str, file: &str, dirs: &[PathBuf]) -> Obstacle {
    let dirs: Vec<String> = dirs.iter().map(|d| d.display().to_string()).collect();
    Obstacle {
        who: who.to_owned(),
        what: format!(
            "its argument `{file}` looks like a file, and there is none in {}, where it runs; \
             `dir` sets another folder",
            dirs.join(" or ")
        ),
        certain: false,
    }
}

/// The same for several is told once.
fn together(all: Vec<Obstacle>) -> Vec<Obstacle> {
    let mut out: Vec<Obstacle> = Vec::new();
    for obstacle in all {
        match out.iter_mut().find(|o| o.what == obstacle.what) {
            Some(same) if !same.who.contains(&obstacle.who) => {
                same.who += &format!(", {}", obstacle.who);
            }
            Some(_) => {}
            None => out.push(obstacle),
        }
    }
    out
}

fn surroundings(run: &Surroundings, folder: &Path) -> Vec<String> {
    let mut out = Vec::new();
    let dir = run.dir.as_ref().map(|d| folder.join(&d.value));
    if let Some(dir) = dir.filter(|dir| !dir.is_dir()) {
        out.push(format!("`dir`: {} is no folder", dir.display()));
    }
    let stdin = run.stdin.as_ref().map(|s| folder.join(&s.value));
    if let Some(file) = stdin
        && let Err(error) = std::fs::File::open(&file)
    {
        out.push(format!("`stdin`: cannot open {}: {error}", file.display()));
    }
    out
}

fn metrics(workload: &Workload) -> Vec<String> {
    let mut out = Vec::new();
    let has =
        |wanted: fn(&MetricSource) -> bool| workload.metrics.iter().any(|m| wanted(&m.source));
    if has(|s| matches!(s, MetricSource::Counter(_)))
        && let Err(why) = karat_process::counters::available()
    {
        out.push(format!("it is judged by a hardware counter, and {why}"));
    }
    if has(|s| *s == MetricSource::Cachegrind)
        && find_program("valgrind", None, Path::new("")).is_none()
    {
        out.push("it is judged by cachegrind, and valgrind is not installed".into());
    }
    out
}

/// Folders in which the runs of a workload happen: a variant's setting goes before the
/// workload's.
fn working_folders(study: &Study, plan: &Plan, run: &Surroundings, folder: &Path) -> Vec<PathBuf> {
    let here = std::env::current_dir().unwrap_or_default();
    let of = |i: usize| {
        let dir = study.variants[i].run.over(run).dir;
        dir.map_or_else(|| here.clone(), |d| folder.join(d.value))
    };
    let mut out: Vec<PathBuf> = plan.active().map(of).collect();
    out.sort();
    out.dedup();
    out
}

fn exists(dir: &Path, file: &str) -> bool {
    dir.join(file).exists()
}

/// Arguments that look like files which are read: `data/x` and `x.json`, not `1.5`,
/// `--out=x.json` or `https://x/y`.
fn files(args: &[String]) -> impl Iterator<Item = &str> {
    let looks = |word: &&str| {
        let name = word.rsplit('/').next().unwrap_or_default();
        let ending = name.rsplit_once('.').filter(|(stem, _)| !stem.is_empty());
        let letters = |e: &str| {
            (1..=5).contains(&e.len())
                && e.starts_with(|c: char| c.is_ascii_alphabetic())
                && e.chars().all(|c| c.is_ascii_alphanumeric())
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || "/._+-~".contains(c);
        !word.starts_with('-')
            && word.chars().all(plain)
            && !word.starts_with('~')
            && !word.ends_with('/')
            && ending.is_some_and(|(_, e)| letters(e))
    };
    args.iter().map(String::as_str).filter(looks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_look_like_files() {
        let words = [
            "data/in.bin",
            "x.json",
            "1.5",
            "--out=x.json",
            "a.b.c",
            "https://x.org/y.txt",
            "bench",
            ".",
            "..",
            "v1.2",
            "a b.txt",
            "s/a/b/",
            "-x.json",
        ];
        let words = words.map(str::to_owned);
        assert_eq!(
            files(&words).collect::<Vec<_>>(),
            ["data/in.bin", "x.json", "a.b.c"]
        );
    }

    #[test]
    fn what_a_study_lacks_is_told_once_each() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("there.txt"), "").unwrap();
        let study = Study::parse(
            r#"
schema = 1
name = "s"
baseline = "a"
[subject]
command = ["no-such-make"]
artifact = "x"
[[variant]]
name = "a"
[[variant]]
name = "b"
[[workload]]
name = "w"
args = ["there.txt", "gone.txt"]
dir = "."
stdin = "nothing"
[[workload]]
name = "made"
setup = "touch gone.txt"
args = ["gone.txt"]
"#,
        )
        .unwrap();
        let plan = Plan::new(&study, karat_cpu::IsaSet::EMPTY, false).unwrap();
        let all = check(&study, &plan, dir.path());
        assert_eq!(all.len(), 3, "{all:?}");
        assert_eq!(all[0].who, "variant `a`, variant `b`");
        assert!(all[0].certain && all[0].what.contains("no-such-make"));
        assert!(all[1].certain && all[1].what.contains("`stdin`"));
        assert!(!all[2].certain && all[2].what.contains("`gone.txt`"));
    }
}
