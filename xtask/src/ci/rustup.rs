//! Toolchains and targets beside the compiler that runs us, installed in CI and nowhere
//! else.

use super::apt::in_ci;
use crate::command::{command, run, stdout};
use std::process::Command;

/// Whether the standard library for a target is here, after an attempt to install it.
pub fn has_target(target: &str) -> bool {
    let here = || lists(&["target", "list", "--installed"], |line| line == target);
    here() || (try_to(&["target", "add", target]) && here())
}

/// Whether a toolchain is here with these components, after an attempt to install what
/// is missing. One that is here is not updated.
pub fn has_toolchain(name: &str, components: &[&str]) -> bool {
    let named = |line: &str| is(line.split(' ').next().unwrap_or_default(), name);
    if !lists(&["toolchain", "list"], named)
        && !try_to(&[
            "toolchain",
            "install",
            name,
            "--profile=minimal",
            "--no-self-update",
        ])
    {
        return false;
    }
    let list = ["component", "list", "--installed", "--toolchain", name];
    components.iter().all(|component| {
        let here = || lists(&list, |line| is(line, component));
        here() || (try_to(&["component", "add", component, "--toolchain", name]) && here())
    })
}

/// A toolchain's cargo.
pub fn cargo(toolchain: &str, args: &[&str]) -> Command {
    let mut cargo = command("rustup", &["run", toolchain, "cargo"]);
    cargo.args(args);
    cargo
}

/// Whether an entry of a list has that name: the platform may follow.
fn is(entry: &str, name: &str) -> bool {
    let rest = entry.strip_prefix(name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
}

fn lists(list: &[&str], wanted: impl Fn(&str) -> bool) -> bool {
    stdout(command("rustup", list)).is_ok_and(|text| text.lines().any(wanted))
}

/// In CI only; whether it worked is asked again.
fn try_to(install: &[&str]) -> bool {
    in_ci() && run(command("rustup", install)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::is;

    #[test]
    fn the_platform_may_follow_a_name() {
        assert!(is("nightly-x86_64-unknown-linux-gnu", "nightly"));
        assert!(is("rust-src", "rust-src"));
        assert!(!is("1.89.1-x86_64-unknown-linux-gnu", "1.89"));
        assert!(!is("rust-std-x86_64-unknown-linux-gnu", "rust-src"));
    }
}
