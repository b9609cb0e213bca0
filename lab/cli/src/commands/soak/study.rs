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
use std::path::Path;
use std::sync::atomic::AtomicBool;

/// The same options with the command and all that the study says and they do not.
pub(super) fn command(
    args: &args::Soak,
    study: &Path,
    interrupt: &AtomicBool,
) -> Result<args::Soak> {
    let file = study_file(study)?;
    let source = read(&file)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let study = load(&file, &source, folder)?;
    let Some(soak) = &study.soak else {
        return Err(usage(format!(
            "{} has no [soak]; add one with `for`, `workload` and `budgets`",
            file.display()
        )));
    };
    let variant = variant(&study, args.variant.as_deref())?;
    let workload = &study.workloads[soak.workload];
    let run = variant.run.over(&workload.run);
    let mut words = environment(&run)?;
    let runs = &args.runs.dir;
    let not_sources = NotSources::new(&[&file, runs]);
    let context = Context {
        study_dir: folder,
        cache: &runs.join("cache"),
        wrapper: &std::env::current_exe().context("cannot find karat's own program file")?,
        not_sources: &not_sources,
        interrupt,
    };
    let built = build(variant, &context).map_err(|error| failed(exit::BUILD, error.to_string()))?;
    say::note(&format!(
        "{}: {}",
        variant.name.value,
        built.binary.display()
    ));
    words.push(built.binary.into());
    words.extend(variant.args.iter().chain(&workload.args).map(Into::into));
    Ok(args::Soak {
        watching: over(&args.watching, soak),
        repeat: args.repeat || soak.repeat,
        command: words,
        ..args.clone()
    })
}

fn variant<'s>(study: &'s Study, name: Option<&str>) -> Result<&'s Variant> {
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
