//! Mistyped commands: the command that was meant.
//!
//! clap compares words by how many letters they share, and takes `rn` for `kernels`. Fewest
//! edits are nearer to what a hand does.

use super::Args;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use karat_model::diagnostic::nearest;

/// The command line; ends the process where there is none.
pub fn parse() -> Args {
    Args::try_parse().unwrap_or_else(|error| corrected(error, &Args::command()).exit())
}

/// The error, with the nearest of `command`'s subcommands as its suggestion.
fn corrected(mut error: clap::Error, command: &clap::Command) -> clap::Error {
    if error.kind() != ErrorKind::InvalidSubcommand {
        return error;
    }
    let Some(ContextValue::String(word)) = error.get(ContextKind::InvalidSubcommand) else {
        return error;
    };
    // Of `karat kernels lst` the usage names the command that `lst` is none of.
    let usage = error.get(ContextKind::Usage).map(ToString::to_string);
    let within = |c: &&clap::Command| {
        let words = format!(" {} ", c.get_name());
        usage.as_ref().is_some_and(|usage| usage.contains(&words))
    };
    let parent = command.get_subcommands().find(within).unwrap_or(command);
    let known: Vec<&str> = parent
        .get_subcommands()
        .map(clap::Command::get_name)
        .collect();
    if let Some(near) = nearest(word, &known) {
        let near = ContextValue::Strings(vec![near.to_owned()]);
        error.insert(ContextKind::SuggestedSubcommand, near);
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(words: &[&str]) -> String {
        let error = Args::try_parse_from(words).unwrap_err();
        corrected(error, &Args::command()).to_string()
    }

    #[test]
    fn the_command_with_the_fewest_edits_is_suggested() {
        for (words, meant) in [
            (&["karat", "rn"][..], "'run'"),
            (&["karat", "rnu", "study"], "'run'"),
            (&["karat", "aduit"], "'audit'"),
            (&["karat", "kernels", "lst"], "'list'"),
            (&["karat", "kernels", "bnech"], "'bench'"),
        ] {
            let said = said(words);
            assert!(
                said.contains(&format!("similar subcommand exists: {meant}")),
                "{said}"
            );
        }
        assert!(!said(&["karat", "frobnicate"]).contains("similar"));
    }
}
