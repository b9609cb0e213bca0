//! Why a command could not be traced, and what to do.

use std::io;
use std::path::Path;

/// Nothing was traced, or not to the end.
#[derive(Debug, thiserror::Error)]
pub enum TraceError {
    /// The program cannot be executed.
    #[error("cannot execute {program}: {error}")]
    Execute {
        /// As it was given.
        program: String,
        /// What the system said.
        error: io::Error,
    },
    /// An argument cannot be handed to a program.
    #[error("an argument has a zero byte, which no program can be given")]
    ZeroByte,
    /// The system forbids ptrace.
    #[error("the system does not let karat trace a program it starts (ptrace: {error}): {advice}")]
    Forbidden {
        /// What the system said.
        error: io::Error,
        /// Which setting it is, and what to do.
        advice: String,
    },
    /// A system call failed that should not.
    #[error("cannot trace the program: {what}: {error}")]
    System {
        /// What was tried.
        what: &'static str,
        /// What the system said.
        error: io::Error,
    },
}

impl TraceError {
    pub(crate) fn forbidden(error: io::Error) -> Self {
        let read = |path: &str| std::fs::read_to_string(path).unwrap_or_default();
        let yama = read("/proc/sys/kernel/yama/ptrace_scope");
        let status = read("/proc/self/status");
        Self::Forbidden {
            error,
            advice: advice(&yama, &status, Path::new("/.dockerenv").exists()),
        }
    }
}

/// Which setting forbids ptrace. `yama` is `kernel.yama.ptrace_scope`, `status` is
/// `/proc/self/status`.
///
/// Sources: the kernel's `Documentation/admin-guide/LSM/Yama.rst`; ptrace(2), "Ptrace
/// access mode checking"; proc_pid_status(5).
fn advice(yama: &str, status: &str, in_container: bool) -> String {
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name))?;
        line.trim().parse::<u64>().ok()
    };
    match yama.trim() {
        "3" => {
            return "kernel.yama.ptrace_scope is 3, which forbids ptrace until the next boot; \
                    start the machine with another value"
                .into();
        }
        "2" => {
            return "kernel.yama.ptrace_scope is 2, which leaves ptrace to root; \
                    `sudo sysctl kernel.yama.ptrace_scope=1` allows it"
                .into();
        }
        _ => {}
    }
    if field("TracerPid:").is_some_and(|tracer| tracer != 0) {
        return "karat itself is being traced (by strace -f or a debugger), and a process has \
                one tracer only; run karat without it"
            .into();
    }
    if field("Seccomp:").is_some_and(|mode| mode != 0) {
        let how = if in_container {
            "; start the container with --cap-add=SYS_PTRACE or --security-opt seccomp=unconfined"
        } else {
            " (a container, a service with SystemCallFilter=, a sandbox); allow ptrace there"
        };
        return format!("a seccomp filter is in force here{how}");
    }
    "a security module may forbid it (SELinux: `setsebool deny_ptrace off`; AppArmor: the \
     profile needs `ptrace`)"
        .into()
}

#[cfg(test)]
mod tests {
    use super::advice;

    #[test]
    fn the_setting_is_named() {
        let free = "TracerPid:\t0\nSeccomp:\t0\n";
        let filtered = "TracerPid:\t0\nSeccomp:\t2\n";
        assert!(advice("3\n", free, false).contains("ptrace_scope is 3"));
        assert!(advice("2\n", filtered, true).contains("ptrace_scope is 2"));
        assert!(advice("1\n", filtered, true).contains("--cap-add=SYS_PTRACE"));
        assert!(advice("", filtered, false).contains("seccomp filter"));
        assert!(advice("0\n", "TracerPid:\t7\n", false).contains("being traced"));
        assert!(advice("", free, false).contains("security module"));
    }
}
