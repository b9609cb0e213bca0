//! `cargo xtask bless`: makes again what is generated, and shows what changed.

use super::{picture, schema};
use crate::Task;
use crate::command::{cargo, command, run as start, stdout};
use anyhow::{Result, bail};

pub const TASK: Task = Task {
    name: "bless",
    help: "make schemas, the picture, packed tables and test snapshots again; look at the difference before you commit",
    run,
};

fn run(args: &[String]) -> Result<bool> {
    if !args.is_empty() {
        bail!("usage: cargo xtask bless");
    }
    schema::write()?;
    picture::write()?;
    let mut tests = cargo(&["test"]);
    tests.env("INSTA_UPDATE", "always");
    let tested = start(tests);
    // A failing test must not hide what was already written.
    start(command("git", &["--no-pager", "diff", "--stat"]))?;
    for file in new_files(&["*.snap", "schemas/*"])?.lines() {
        println!(" {file} is new");
    }
    let pending = new_files(&["*.pending-snap"])?;
    if !pending.is_empty() {
        println!(
            "snapshots inside of test sources are not rewritten; take them over with \
             `cargo insta review` or by hand, then remove\n{pending}"
        );
    }
    tested.map(|()| true)
}

/// Files that match and that git has not seen yet.
fn new_files(patterns: &[&str]) -> Result<String> {
    let list = ["ls-files", "--others", "--exclude-standard", "--"];
    stdout(command("git", &[&list, patterns].concat()))
}
