//! karat as a rustc wrapper: different flags for different crates of one build.
//!
//! Cargo's `RUSTFLAGS` reach all crates. With `RUSTC_WRAPPER` set to karat and
//! the variables below, karat is started in rustc's place and adds flags to the
//! crates that should have them. rustc records the target CPU per function, and
//! LLVM inlines no code with more features into a caller with fewer, so the
//! choice survives link-time optimisation.

use karat_process::{Command, become_program};
use std::ffi::{OsStr, OsString};

/// Flags to add, separated by spaces. Its presence makes karat a wrapper.
pub const FLAGS: &str = "KARAT_RUSTC_FLAGS";
/// Crates that do not get the flags, separated by commas.
pub const EXCEPT: &str = "KARAT_RUSTC_EXCEPT";
/// The only crates that get the flags, separated by commas.
pub const ONLY: &str = "KARAT_RUSTC_ONLY";

/// If this process was started as a rustc wrapper, becomes rustc and does not
/// return; returns the error if it cannot.
pub fn become_rustc_if_asked() -> Option<std::io::Error> {
    let flags = std::env::var(FLAGS).ok()?;
    let mut args = std::env::args_os().skip(1);
    let rustc = args.next()?;
    // Cargo hands the wrapper rustc's path; anything else is a person who has
    // the variables set and calls karat.
    let name = std::path::Path::new(&rustc).file_stem()?.to_owned();
    if name != "rustc" && name != "clippy-driver" {
        return None;
    }
    let args: Vec<OsString> = args.collect();
    let list = |name| std::env::var(name).ok();
    let add = applies(&args, list(EXCEPT).as_deref(), list(ONLY).as_deref());
    let mut command = Command::new(rustc);
    command.args(&args);
    if add {
        command.args(flags.split_whitespace());
    }
    Some(become_program(&mut command))
}

/// Whether the crate that `args` compile gets the flags. Cargo's questions to
/// rustc, build scripts and procedural macros never do: they run at build time.
fn applies(args: &[OsString], except: Option<&str>, only: Option<&str>) -> bool {
    let after = |flag: &str| {
        args.iter()
            .position(|a| a == flag)
            .and_then(|i| args.get(i + 1))
            .and_then(|v| v.to_str())
    };
    let Some(name) = after("--crate-name") else {
        return false;
    };
    let host = name == "___"
        || name.starts_with("build_script_")
        || args.iter().any(|a| a == OsStr::new("proc-macro"));
    let named = |list: &str| list.split(',').any(|n| n.trim().replace('-', "_") == name);
    !host && !except.is_some_and(named) && only.is_none_or(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn args(text: &str) -> Vec<OsString> {
        text.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn flags_go_where_they_should() {
        let lib = args("--crate-name blake2b_simd --edition=2021 src/lib.rs");
        assert!(applies(&lib, None, None));
        assert!(!applies(&lib, Some("sha2,blake2b_simd"), None));
        assert!(!applies(&lib, Some("blake2b-simd"), None));
        assert!(applies(&lib, None, Some("blake2b_simd")));
        assert!(!applies(&lib, None, Some("sha2")));
    }

    #[test]
    fn host_code_and_questions_get_none() {
        assert!(!applies(&args("-vV"), None, None));
        assert!(!applies(
            &args("- --crate-name ___ --print=cfg"),
            None,
            None
        ));
        let script = args("--crate-name build_script_build build.rs");
        assert!(!applies(&script, None, None));
        let r#macro = args("--crate-name derive --crate-type proc-macro src/lib.rs");
        assert!(!applies(&r#macro, None, None));
    }
}
