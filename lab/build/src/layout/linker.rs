//! Which linker made a link, and its options for another order of code.

use super::pads;
use super::record::Link;
use karat_judge::Rng;
use karat_process::Command;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Longest time for a linker to say its version.
const PATIENCE: Duration = Duration::from_secs(10);

/// The linkers whose links can be done again in another order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Family {
    Lld,
    Gnu,
}

/// The first line of `--version`, and what it means.
///
/// # Errors
/// For other linkers, with the way out.
pub(super) fn identify(link: &Link) -> Result<(Family, String), String> {
    let mut command = Command::new(&link.program);
    command
        .arg("--version")
        .env_clear()
        .envs(link.env.iter().map(|(k, v)| (k, v)));
    let output = karat_process::run(&mut command, PATIENCE, &AtomicBool::new(false))
        .map_err(|e| format!("cannot start {}: {e}", link.program.display()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    let version = text.lines().next().unwrap_or_default().to_owned();
    if version.contains("LLD") {
        // What follows in parentheses is the commit that it was made of, and what it imitates.
        let short = version.split(" (").next().unwrap_or(&version);
        Ok((Family::Lld, short.to_owned()))
    } else if version.starts_with("GNU ld") {
        Ok((Family::Gnu, version))
    } else {
        let seen = if version.is_empty() {
            "gives no version"
        } else {
            &version
        };
        Err(format!(
            "it was linked by {} ({seen}), and only LLD and GNU ld can be asked for another \
             order of code; link with one of them (for example by -fuse-ld=lld)",
            link.program.display()
        ))
    }
}

/// LLD's options for the layout `seed`. Writes the object file with the gaps
/// as `gaps`, which is `name` to the linker.
///
/// Recent LLDs can draw gaps themselves (`--randomize-section-padding`; 22 has
/// it, 14 does not). That moves few functions as well as this does, but it moves
/// data too, and a layout is to differ in its code only.
pub(super) fn lld_options(seed: u64, gaps: &Path, name: &str) -> std::io::Result<Vec<String>> {
    let mut rng = Rng::new(seed);
    std::fs::write(gaps, pads::object(&pads::sizes(&mut rng)))?;
    // Not 0, which draws a seed of its own; below 2^31, as -1 reverses.
    let shuffle = 1 + rng.below((1 << 31) - 1);
    Ok(vec![
        name.to_owned(),
        format!("--shuffle-sections=.text*={shuffle}"),
    ])
}
