//! What people download, made and used: `cargo xtask dist --check`, with wheels where maturin
//! is.

use super::step::{Outcome, Skip};
use super::{apt, rustup};
use crate::command::command;
use crate::tasks::dist;
use anyhow::Result;

/// What `--require` calls it.
pub const MUSL: &str = "musl";

/// Makes and checks them.
pub fn step() -> Result<Outcome> {
    let has_musl = || command("musl-gcc", &["--version"]).output().is_ok();
    if apt::in_ci() && !has_musl() {
        apt::install(&["musl-tools"]);
    }
    if !has_musl() || !rustup::has_target(dist::TARGET) {
        return Ok(Outcome::Skipped(Skip {
            missing: MUSL,
            remedy: format!(
                "`rustup target add {}`, and on Debian `apt-get install musl-tools`",
                dist::TARGET
            ),
        }));
    }
    (dist::TASK.run)(&["--check".to_owned()])?;
    Ok(Outcome::Passed)
}
