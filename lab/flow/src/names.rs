//! Functions and variables that are known by their names: what holds answers of CPUID, what
//! asks, what never returns.

/// Variables that hold what CPUID answered, by parts of their names: GCC's and
/// LLVM's run-time libraries, Rust's std_detect, glibc, OpenSSL and its
/// offspring, Go.
const CELLS: [&str; 12] = [
    "__cpu_model",
    "__cpu_features2",
    "std_detect6detect5cache5CACHE",
    "_rtld_global_ro",
    "_dl_x86_cpu_features",
    "OPENSSL_ia32cap",
    "GFp_ia32cap_P",
    "internal/cpu.X86",
    "/sys/cpu.X86",
    "runtime.x86Has",
    "runtime.support_",
    "_cpu_feature",
];

/// Imported functions whose result is what CPUID answered.
const ASKING: [&str; 4] = [
    "__x86_get_cpuid_feature_leaf",
    "__x86_get_cpu_features",
    "_dl_x86_get_cpu_features",
    "android_getCpuFeatures",
];

/// Functions of Intel's run-time libraries that fill their word of the CPU's features. They save all
/// registers, which Intel's compilers go by: callers keep its address in one that others may change.
const KEEPING: [&str; 2] = ["__intel_cpu_features_init", "__intel_cpu_features_init_x"];

/// Functions that do not return, by name (imports have no code to look at).
const NO_RETURN: [&str; 29] = [
    "abort",
    "exit",
    "_exit",
    "_Exit",
    "quick_exit",
    "longjmp",
    "__longjmp_chk",
    "siglongjmp",
    "__stack_chk_fail",
    "__fortify_fail",
    "__chk_fail",
    "__assert_fail",
    "_Unwind_Resume",
    "__cxa_bad_cast",
    "__cxa_bad_typeid",
    "__cxa_pure_virtual",
    "__cxa_throw_bad_array_new_length",
    "_ZSt9terminatev",
    "__cxa_throw",
    "__cxa_rethrow",
    "pthread_exit",
    "ExitProcess",
    "_CxxThrowException",
    "_invalid_parameter_noinfo_noreturn",
    "__std_terminate",
    "terminate",
    "__assert_rtn",
    "_assert",
    "_wassert",
];

/// Whether a function changes no register but the one that a result is given in.
pub(crate) fn changes_result_only(name: &str) -> bool {
    KEEPING.contains(&name)
}

/// Whether a symbol's name says that it never returns.
pub fn never_returns(name: &str) -> bool {
    // `std::__throw_…` of libstdc++.
    NO_RETURN.contains(&name) || name.starts_with("_ZSt") && name.contains("__throw_")
}

/// Whether an imported function's result is what CPUID answered.
pub fn import_asks(name: &str) -> bool {
    ASKING.contains(&name)
}

/// Whether an imported function may be there to tell what the CPU has, by its name.
pub(crate) fn import_may_ask(name: &str) -> bool {
    // After `sigsetjmp` it may be tried, and the signal caught.
    const PARTS: [&str; 15] = [
        "setjmp", "cpu", "avx", "sse", "simd", "bmi", "popcnt", "isa", "feature", "support",
        "detect", "arch", "level", "target", "capab",
    ];
    let name = name.to_ascii_lowercase();
    PARTS.iter().any(|part| name.contains(part))
}

/// Whether a variable of this name holds what CPUID answered.
pub fn is_cell(name: &str) -> bool {
    CELLS.iter().any(|cell| name.contains(cell))
}

/// Parts of names of functions that are for CPUs with an extension.
const FOR_EXTENSIONS: [&str; 9] = [
    "avx", "sse", "bmi", "fma", "aes", "sha", "clmul", "f16c", "popcnt",
];

/// Whether a function's name says that it is for CPUs with an extension.
pub fn is_for_extension(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    FOR_EXTENSIONS.iter().any(|part| name.contains(part))
}

/// What names of functions say, the one that says most first: all that CPUs with that have which
/// compilers use by the same option, or that is asked for together.
const SAID: [(&str, &[&str]); 7] = [
    (
        "avx512",
        &[
            "avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl", "avx2", "fma", "f16c",
            "bmi1", "bmi2", "lzcnt", "movbe",
        ],
    ),
    (
        "avx2",
        &["avx2", "fma", "f16c", "bmi1", "bmi2", "lzcnt", "movbe"],
    ),
    ("avx", &["avx"]),
    ("aesni", &["aes", "pclmulqdq"]),
    ("bmi2", &["bmi1", "bmi2"]),
    ("_xop", &["xop", "fma4", "avx"]),
    ("_fma4", &["fma4", "avx"]),
];

/// What a function's name says that the CPU has which it is for.
pub fn said_by_name(name: &str) -> &'static [&'static str] {
    let name = name.to_ascii_lowercase();
    let said = SAID.iter().find(|(part, _)| name.contains(part));
    said.map_or(&[], |(_, features)| features)
}
