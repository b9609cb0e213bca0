//! What the environment requests: `KARAT_FORCE=kernel=implementation`, several separated
//! by commas, and `KARAT_TUNED=FILE`, a file with one such line each, as `karat kernels
//! tune` writes it. `KARAT_FORCE` comes first.

use std::string::{String, ToString};

/// The implementation that the environment requests for `kernel`.
#[must_use]
pub fn forced(kernel: &str) -> Option<String> {
    let in_list = |list: String| {
        let entry = entries(&list).find(|(name, _)| *name == kernel)?;
        Some(entry.1.to_string())
    };
    let list = std::env::var("KARAT_FORCE").ok();
    list.and_then(in_list).or_else(|| {
        let file = std::env::var_os("KARAT_TUNED")?;
        // What is wrong with the file is for `check_force` to say.
        in_list(std::fs::read_to_string(file).ok()?)
    })
}

/// Pairs of kernel and implementation. For an entry without `=` the second one is
/// empty. A line that begins with `#` is none.
pub(crate) fn entries(list: &str) -> impl Iterator<Item = (&str, &str)> {
    list.lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .flat_map(|line| line.split(','))
        .map(str::trim)
        .filter(|e| !e.is_empty())
        .map(|e| e.split_once('=').unwrap_or((e, "")))
        .map(|(kernel, name)| (kernel.trim(), name.trim()))
}
