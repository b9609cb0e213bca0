//! Tasks of this repository: what CI runs, and what keeps generated files current.
//!
//! `cargo xtask` lists the tasks. A new task is one file in `tasks/` and one line
//! in [`TASKS`].
#![forbid(unsafe_code)]

mod ci;
mod command;
mod emulator;
mod rust_text;
mod said;
mod tasks;
mod validate;
mod workspace;

use anyhow::{Result, bail};
use karat_model::diagnostic::nearest;
use std::process::ExitCode;

/// One task.
struct Task {
    name: &'static str,
    /// What it does, in one line.
    help: &'static str,
    /// Takes the arguments after the task's name; tells whether all is well.
    run: fn(&[String]) -> Result<bool>,
}

/// Every task, in the order of the list.
const TASKS: &[Task] = &[
    ci::TASK,
    tasks::layers::TASK,
    tasks::picture::TASK,
    tasks::schema::TASK,
    tasks::choices::TASK,
    tasks::agreement::TASK,
    tasks::words::TASK,
    tasks::commands::TASK,
    tasks::book::TASK,
    tasks::record::TASK,
    tasks::dist::TASK,
    tasks::release::TASK,
    tasks::bless::TASK,
];

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let Some((name, rest)) = args.split_first() else {
        print!("{}", list());
        return ExitCode::SUCCESS;
    };
    match find(name).and_then(|task| match task {
        Some(task) => (task.run)(rest),
        None => {
            print!("{}", list());
            Ok(true)
        }
    }) {
        Ok(true) => ExitCode::SUCCESS,
        // The task has said what is wrong.
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// The task of that name; `None` when help was asked for.
fn find(name: &str) -> Result<Option<&'static Task>> {
    if ["help", "-h", "--help"].contains(&name) {
        return Ok(None);
    }
    match TASKS.iter().find(|task| task.name == name) {
        Some(task) => Ok(Some(task)),
        None => bail!("{}", unknown("task", name, TASKS.iter().map(|t| t.name))),
    }
}

/// What is wrong with the words behind `cargo xtask`.
fn wrong(words: &[String]) -> Option<String> {
    let (name, rest) = words.split_first()?;
    match find(name) {
        Err(error) => Some(error.to_string()),
        Ok(Some(task)) if task.name == ci::TASK.name => ci::wrong(rest),
        Ok(_) => None,
    }
}

/// Says that a name is not known, and which known one is near.
fn unknown<'a>(kind: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    let hint = match nearest(name, &known) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("known: {}", known.join(", ")),
    };
    format!("no {kind} `{name}`; {hint}")
}

fn list() -> String {
    let mut text = "cargo xtask TASK [ARGS]\n\n".to_owned();
    for task in TASKS {
        text.push_str(&format!("  {:8} {}\n", task.name, task.help));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{TASKS, find, list, wrong};

    #[test]
    fn the_list_names_every_task() {
        for task in TASKS {
            assert!(list().contains(&format!("  {:8} {}", task.name, task.help)));
        }
    }

    #[test]
    fn a_near_name_is_suggested() {
        let error = find("layer").err().map(|e| e.to_string());
        assert_eq!(
            error.as_deref(),
            Some("no task `layer`; did you mean `layers`?")
        );
    }

    #[test]
    fn tasks_and_steps_are_known() {
        let told = |text: &str| {
            let words: Vec<String> = text.split(' ').map(str::to_owned).collect();
            wrong(&words)
        };
        assert_eq!(told("ci words --keep-going"), None);
        assert_eq!(told("bless"), None);
        assert!(told("bliss").is_some_and(|t| t.contains("did you mean `bless`?")));
        assert!(told("ci word").is_some_and(|t| t.contains("did you mean `words`?")));
    }
}
