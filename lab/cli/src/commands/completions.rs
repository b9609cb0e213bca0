//! `karat completions`.

use super::explain;
use crate::args::Args;
use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use karat_model::study::reference;

/// Prints a completion script.
pub fn run(shell: Shell) -> Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_names(shell), "karat", &mut script);
    let script = String::from_utf8_lossy(&script);
    crate::say::result(&with_runs(shell, &script))?;
    Ok(crate::exit::GOOD)
}

/// Stands for the names of runs, which are known when a word is completed, not when the
/// script is written.
const RUNS: &str = "__karat_runs__";

/// Prints the names of runs, in any shell.
const LIST: &str =
    r#"karat history --format json 2>/dev/null | sed -n 's/^ *"id": "\(.*\)",$/\1/p'"#;

/// The script, with a function that asks karat for the runs.
fn with_runs(shell: Shell, script: &str) -> String {
    match shell {
        Shell::Bash => {
            let function = format!("_karat_runs() {{\n    {LIST}\n}}\n\n");
            function + &script.replace(RUNS, "$(_karat_runs)")
        }
        Shell::Zsh => {
            // Its first line says whose completions these are.
            let (first, rest) = script.split_once('\n').unwrap_or((script, ""));
            let words = format!("({RUNS} latest)");
            let rest = rest.replace(&words, "{compadd -- $(_karat_runs) latest}");
            format!("{first}\n\n_karat_runs() {{\n    {LIST}\n}}\n{rest}")
        }
        // clap writes no words of arguments that are no options for it.
        Shell::Fish => {
            let words = |command: &str, words: &str| {
                format!(
                    "complete -c karat -n \"__fish_karat_using_subcommand {command}\" -f -a \
                     \"{words}\"\n"
                )
            };
            let function = format!("function __karat_runs\n    {LIST}\nend\n");
            let runs = words("report", "(__karat_runs) latest");
            let explained = words("explain", &explained().join(" "));
            format!("{script}\n{function}{runs}{explained}")
        }
        _ => script.to_owned(),
    }
}

/// What `karat explain` explains: codes and keys of studies.
fn explained() -> Vec<&'static str> {
    let codes = explain::codes().map(|(code, _)| code);
    let keys = reference::TABLES.iter().flat_map(|table| {
        let path = match table.path {
            "" => "study".to_owned(),
            path => format!("study.{path}"),
        };
        // A parser keeps its words for ever, and this process ends with the script.
        let keys = table.all();
        keys.map(move |key| &*format!("{path}.{}", key.name).leak())
    });
    codes.chain(keys).collect()
}

fn kernels() -> Vec<&'static str> {
    karat_all::kernels().iter().map(|k| k.name()).collect()
}

/// The command line, with names where it takes any text: a script offers what a parser lists.
fn with_names(shell: Shell) -> Command {
    let of_kernels = |command: Command| {
        command.mut_arg("kernels", |arg| {
            arg.value_parser(PossibleValuesParser::new(kernels()))
        })
    };
    let command = match shell {
        Shell::Bash | Shell::Zsh => Args::command().mut_subcommand("report", |command| {
            command.mut_arg("run", |arg| {
                arg.value_parser(PossibleValuesParser::new([RUNS, "latest"]))
            })
        }),
        _ => Args::command(),
    };
    command
        .mut_subcommand("explain", |command| {
            command.mut_arg("code", |arg| {
                arg.value_parser(PossibleValuesParser::new(explained()))
            })
        })
        .mut_subcommand("compare", |command| {
            command.mut_arg("readers", |arg| {
                arg.value_parser(PossibleValuesParser::new(karat_compare::reader_names()))
            })
        })
        .mut_subcommand("kernels", |command| {
            command
                .mut_subcommand("check", of_kernels)
                .mut_subcommand("bench", of_kernels)
        })
}
