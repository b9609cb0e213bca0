//! `karat completions`.

use super::explain;
use crate::args::Args;
use anyhow::Result;
use clap::builder::PossibleValuesParser;
use clap::{Command, CommandFactory};
use karat_model::study::reference;

/// Prints a completion script.
pub fn run(shell: clap_complete::Shell) -> Result<u8> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut with_names(), "karat", &mut script);
    crate::say::result(&String::from_utf8_lossy(&script))?;
    Ok(crate::exit::GOOD)
}

/// The command line, with names where it takes any text: a script offers what a parser lists.
fn with_names() -> Command {
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
    let explained: Vec<&'static str> = codes.chain(keys).collect();
    let kernels: Vec<&'static str> = karat_all::kernels().iter().map(|k| k.name()).collect();
    let of_kernels = |command: Command| {
        let kernels = kernels.clone();
        command.mut_arg("kernels", move |arg| {
            arg.value_parser(PossibleValuesParser::new(kernels))
        })
    };
    Args::command()
        .mut_subcommand("explain", |command| {
            command.mut_arg("code", |arg| {
                arg.value_parser(PossibleValuesParser::new(explained))
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
