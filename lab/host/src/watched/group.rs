//! The account of memory of a process's control group.

use crate::disturbance::group_folders;
use std::fs::read_to_string;
use std::path::PathBuf;

/// The file that tells the bytes charged to the control group of `pid`.
///
/// Version 2 has `memory.current`, version 1 `memory.usage_in_bytes`
/// (Documentation/admin-guide/cgroup-v2.rst, cgroup-v1/memory.rst). The root group of
/// version 2 has none, and where a container cannot see its own group there is none.
pub(super) fn memory_file(pid: u32) -> Option<PathBuf> {
    let own = |file: &str| read_to_string(format!("/proc/{pid}/{file}")).unwrap_or_default();
    let folders = group_folders(&own("cgroup"), &own("mountinfo"), "memory");
    let files = folders.iter().flat_map(|folder| {
        ["memory.current", "memory.usage_in_bytes"].map(|name| folder.join(name))
    });
    // The innermost that has one.
    files.into_iter().find(|file| file.is_file())
}
