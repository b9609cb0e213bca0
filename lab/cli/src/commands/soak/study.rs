//! `karat soak --study`: a variant of a study is built, and watched as its `[soak]` says.

use crate::args;
use crate::commands::failed;
use crate::commands::run::{load, read, study_file};
use crate::{exit, say};
use anyhow::{Context as _, Result};
use karat_build::files::NotSources;
use karat_build::{Context, build};
use karat_model::study::{Study, StudySoak, Surroundings, Variant};
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

/// The same options with the command and all that the study says and they do not.
pub(super) fn command(
    args: &args::Soak,
    study: &Path,
    interrupt: &AtomicBool,
) -> Result<args::Soak> {
    let study = Declared::read(study)?;
    let variant = study.variant(args.variant.as_deref())?;
    Ok(args::Soak {
        watching: over(&args.watching, study.soak()?),
        repeat: args.repeat || study.soak()?.repeat,
        command: study.words(variant, &args.runs, interrupt)?,
        ..args.clone()
    })
}

/// The commands of two variants, whether they are repeated, and how they are watched.
pub(super) fn pair(
    args: &args::Ab,
    study: &Path,
    interrupt: &AtomicBool,
) -> Result<([Vec<OsString>; 2], bool, args::Watching)> {
    let declared = Declared::read(study)?;
    let study = &declared.study;
    let variants = match &args.variants[..] {
        [] => match study.candidate.filter(|c| *c != study.baseline) {
            Some(candidate) => [study.baseline, candidate].map(|at| &study.variants[at]),
            None => {
                return Err(usage(
                    "--study: the study names no candidate; name two with --variant A --variant B"
                        .into(),
                ));
            }
        },
        [a, b] => [declared.variant(Some(a))?, declared.variant(Some(b))?],
        other => {
            return Err(usage(format!(
                "--variant: two variants are watched in turns, not {}",
                other.len()
            )));
        }
    };
    let [a, b] = variants.map(|variant| declared.words(variant, &args.runs, interrupt));
    let soak = declared.soak()?;
    Ok(([a?, b?], soak.repeat, over(&args.watching, soak)))
}

/// A study that declares a soak.
struct Declared {
    file: PathBuf,
    study: Study,
}

impl Declared {
    fn read(study: &Path) -> Result<Self> {
        let file = study_file(study)?;
        let source = read(&file)?;
        let study = load(&file, &source, file.parent().unwrap_or(Path::new("")))?;
        let declared = Self { file, study };
        declared.soak()?;
        Ok(declared)
    }

    fn soak(&self) -> Result<&StudySoak> {
        self.study.soak.as_ref().ok_or_else(|| {
            usage(format!(
                "{} has no [soak]; add one with `for`, `workload` and `budgets`",
                self.file.display()
            ))
        })
    }

    /// The variant of this name; the baseline without one.
    fn variant(&self, name: Option<&str>) -> Result<&Variant> {
        let study = &self.study;
        let Some(name) = name else {
            return Ok(&study.variants[study.baseline]);
        };
        let mut all = study.variants.iter();
        all.find(|v| v.name.value == name).ok_or_else(|| {
            let known: Vec<&str> = study
                .variants
                .iter()
                .map(|v| v.name.value.as_str())
                .collect();
            usage(format!(
                "--variant: the study has no `{name}`; there are {}",
                known.join(", ")
            ))
        })
    }

    /// Builds a variant; the words that start it on the soak's workload.
    fn words(
        &self,
        variant: &Variant,
        runs: &args::Runs,
        interrupt: &AtomicBool,
    ) -> Result<Vec<OsString>> {
        let workload = &self.study.workloads[self.soak()?.workload];
        let run = variant.run.over(&workload.run);
        let mut words = environment(&run)?;
        let not_sources = NotSources::new(&[&self.file, &runs.dir]);
        let context = Context {
            study_dir: self.file.parent().unwrap_or(Path::new("")),
            cache: &runs.dir.join("cache"),
            wrapper: &std::env::current_exe().context("cannot find karat's own program file")?,
            not_sources: &not_sources,
            interrupt,
        };
        let built =
            build(variant, &context).map_err(|error| failed(exit::BUILD, error.to_string()))?;
        say::note(&format!(
            "{}: {}",
            variant.name.value,
            built.binary.display()
        ));
        words.push(built.binary.into());
        words.extend(variant.args.iter().chain(&workload.args).map(Into::into));
        Ok(words)
    }
}

/// The words before the program that set its environment. What else a run of a study finds
/// round it, a soak does not make.
fn environment(run: &Surroundings) -> Result<Vec<OsString>> {
    let Surroundings {
        stdin,
        dir,
        env,
        setup,
        cleanup,
    } = run;
    let others = [
        ("stdin", stdin.is_some()),
        ("dir", dir.is_some()),
        ("setup", setup.is_some()),
        ("cleanup", cleanup.is_some()),
    ];
    if let Some((key, _)) = others.iter().find(|(_, given)| *given) {
        return Err(usage(format!(
            "a soak runs a program in karat's own surroundings, and the workload says `{key}`: name \
             another workload in [soak]"
        )));
    }
    if env.is_empty() {
        return Ok(Vec::new());
    }
    let set = env
        .iter()
        .map(|(name, value)| format!("{name}={value}").into());
    Ok(std::iter::once("env".into()).chain(set).collect())
}

/// What is typed, and for the rest what the study says.
fn over(typed: &args::Watching, soak: &StudySoak) -> args::Watching {
    let either = |typed: &Option<String>, said: &Option<String>| typed.clone().or(said.clone());
    args::Watching {
        time: either(&typed.time, &soak.time),
        every: either(&typed.every, &soak.every),
        epoch: either(&typed.epoch, &soak.epoch),
        warm: either(&typed.warm, &soak.warm),
        line: either(&typed.line, &soak.line),
        progress: typed.progress.clone(),
        load: either(&typed.load, &soak.load),
        budgets: match typed.budgets.is_empty() {
            true => soak.budgets.clone(),
            false => typed.budgets.clone(),
        },
    }
}

fn usage(message: String) -> anyhow::Error {
    failed(exit::USAGE, message)
}
