//! Functions, by their names, that tell what the CPU has, or decide for it.

/// `getauxval`, which is understood.
pub(super) fn is_auxval(name: &str) -> bool {
    matches!(name, "getauxval" | "__getauxval")
}

/// Whether a function tells what the CPU has.
pub(super) fn tells(name: &str) -> bool {
    is_auxval(name) || matches!(name, "elf_aux_info" | "npy_cpu_have")
}

/// Whether something else that may decide for it does: the environment, a handler of SIGILL.
pub(super) fn may_tell(name: &str) -> bool {
    matches!(
        name,
        "getenv"
            | "secure_getenv"
            | "__secure_getenv"
            | "sigaction"
            | "signal"
            | "bsd_signal"
            | "sysv_signal"
            | "av_get_cpu_flags"
    )
}
