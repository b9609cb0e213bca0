//! What a command line takes, as its `--help` says.

use anyhow::Result;
use std::collections::{BTreeMap, BTreeSet};

/// A command with its flags and its subcommands.
#[derive(Default)]
pub struct Cli {
    /// Short and long ones, with their dashes.
    pub flags: BTreeSet<String>,
    pub subcommands: BTreeMap<String, Cli>,
}

/// Description of options begin this far to the right at least.
const DESCRIPTION: usize = 10;

impl Cli {
    /// Asks `help` for the help of the command and of all below it. It takes the names of
    /// subcommands that lead there.
    pub fn ask(help: &impl Fn(&[&str]) -> Result<String>, path: &[&str]) -> Result<Self> {
        let (flags, names) = read(&help(path)?);
        let mut subcommands = BTreeMap::new();
        for name in names {
            let below = match name.as_str() {
                "help" => Self::default(),
                _ => Self::ask(help, &[path, &[name.as_str()]].concat())?,
            };
            subcommands.insert(name, below);
        }
        Ok(Self { flags, subcommands })
    }
}

/// Flags and names of subcommands in a help text.
fn read(help: &str) -> (BTreeSet<String>, Vec<String>) {
    let mut flags = BTreeSet::new();
    let mut names = Vec::new();
    let mut commands = false;
    for line in help.lines() {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        let first = text.split(' ').next().unwrap_or_default();
        if indent == 0 {
            commands = text == "Commands:";
        } else if commands && indent == 2 {
            names.push(first.to_owned());
        } else if text.starts_with('-') && indent < DESCRIPTION {
            let parts = text.split(", ").filter(|part| part.starts_with('-'));
            let flag = |part: &str| {
                let end = part.find([' ', '=', '[', '<']).unwrap_or(part.len());
                part[..end].to_owned()
            };
            flags.extend(parts.map(flag));
        }
    }
    (flags, names)
}

#[cfg(test)]
mod tests {
    use super::Cli;

    const ROOT: &str = "Does it.\n\nUsage: x [OPTIONS] <COMMAND>\n\nCommands:\n  run   Runs it and\n        \
                        more\n  help  Print this\n\nOptions:\n  -h, --help\n          Print help\n";
    const RUN: &str = "Runs it.\n\nOptions:\n      --color <WHEN>\n          --not a flag\n  \
                       -o, --output <FILE>\n          Where to\n";

    #[test]
    fn flags_and_subcommands_are_read() {
        let help = |path: &[&str]| Ok(if path.is_empty() { ROOT } else { RUN }.to_owned());
        let cli = Cli::ask(&help, &[]).expect("help");
        assert!(cli.flags.iter().eq(["--help", "-h"]));
        assert!(cli.subcommands.keys().eq(["help", "run"]));
        let run = &cli.subcommands["run"].flags;
        assert!(run.iter().eq(["--color", "--output", "-o"]));
    }
}
