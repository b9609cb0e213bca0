//! Debian's packages, installed in CI and nowhere else.

use crate::command::{command, run};
use std::process::Stdio;

/// Whether this is CI, where a missing program may be installed.
pub fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|ci| ci == "true" || ci == "1")
}

/// Tries to install packages; whether it worked shows when their programs are
/// started.
pub fn install(packages: &[&str]) {
    let apt = |args: &[&str]| {
        let mut apt = command("apt-get", args);
        apt.env("DEBIAN_FRONTEND", "noninteractive");
        apt.stdout(Stdio::null());
        run(apt)
    };
    let quietly = ["install", "-y", "-qq", "--no-install-recommends"];
    let all = [&quietly[..], packages].concat();
    if let Err(error) = apt(&["update", "-qq"]).and_then(|()| apt(&all)) {
        eprintln!("cannot install {}: {error:#}", packages.join(", "));
    }
}
