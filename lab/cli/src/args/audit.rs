//! `karat audit`.

use super::Output;
use std::path::PathBuf;

/// Options of `karat audit`.
#[derive(Debug, clap::Args)]
#[command(after_help = AUDIT_HELP)]
pub struct Audit {
    /// Programs, libraries, objects and archives (.a, .rlib): ELF, Mach-O and PE for
    /// x86-64 and AArch64; packages of them (.whl, .deb, .rpm, .conda, .jar, .nupkg, .gem,
    /// .zip, .tar and its compressed forms), and folders.
    #[arg(required = true, value_name = "BIN")]
    pub files: Vec<PathBuf>,

    /// Compare each of them with this one: growth by crate and function, red flags.
    #[arg(long, value_name = "BIN")]
    pub baseline: Option<PathBuf>,

    /// Every CPU that the file is meant for has this: a level such as x86-64-v2, or with
    /// more, x86-64-v2+aes; armv8-a for AArch64. Code above it is found, and whether the CPU
    /// is asked before.
    #[arg(long, value_name = "NAME")]
    pub isa: Option<String>,

    /// A function called NAME tells what the CPU has: its result is not zero only where
    /// all is there that the code behind needs; with =FEATURES, such as =avx2,bmi2 or
    /// =lse,dotprod, where these are. It also calls code, and hands it out, only there. For
    /// gates that are not understood. May be given several times.
    #[arg(long = "gate-function", value_name = "NAME", requires = "isa")]
    pub gate_functions: Vec<String>,

    /// The same of a variable.
    #[arg(long = "cpu-cell", value_name = "NAME", requires = "isa")]
    pub cpu_cells: Vec<String>,

    /// Functions and known kernels that must be there: a TOML file with
    /// `functions = ["my_crate::avx2::compress"]` and `kernels = ["LIBRARY: KERNEL"]`.
    #[arg(long, value_name = "FILE")]
    pub expect: Option<PathBuf>,

    /// Look here too for separate debug files (.debug, .dwp, .dwo, .dSYM), besides the
    /// places beside the file and below /usr/lib/debug. May be given several times.
    #[arg(long = "debug-dir", value_name = "DIR")]
    pub debug_dirs: Vec<PathBuf>,

    /// Recognise the kernels of this file too, besides those karat knows. May be given
    /// several times.
    #[arg(long = "catalogue", value_name = "FILE")]
    pub catalogues: Vec<PathBuf>,

    /// Write an entry for `--catalogue` to stdout, made from the function called NAME in
    /// a good build, instead of a report.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["baseline", "isa", "gate_functions", "cpu_cells", "expect", "debug_dirs", "catalogues", "outputs", "format"])]
    pub learn: Option<String>,

    /// Run the command behind `--` on an emulated CPU that has what --isa names and nothing
    /// more, by qemu-user, and find the instruction it dies of. Without a command: the
    /// program itself, or the import of a wheel's modules. Of AArch64, QEMU has a CPU with a
    /// little more; the loader and python3 are looked for below QEMU_LD_PREFIX.
    #[arg(long = "try", requires = "isa")]
    pub tries: bool,

    /// Functions that a page lists; a terminal and Markdown show fewer.
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    pub top: u32,

    /// Exit with 0 whatever was found; errors keep their codes.
    #[arg(long)]
    pub exit_zero: bool,

    /// How and where the report goes.
    #[command(flatten)]
    pub output: Output,

    /// The command of --try. A wheel among BIN can be imported by it.
    #[arg(last = true, value_name = "CMD", requires = "tries")]
    pub command: Vec<String>,
}

/// For `karat audit --help`.
const AUDIT_HELP: &str = "\
Exit codes:
  0    no finding is an error
  1    a finding is an error
  2    the command line is wrong
  70   karat itself failed
  102  a file cannot be audited, or --try cannot run; the rest is reported all the same

Examples:
  karat audit target/release/app
  karat audit target/release/app --baseline app-1.2 -o audit.html -o audit.sarif
  karat audit dist/numpy-2.1.whl --isa x86-64-v2 --try
  karat audit ./app --isa x86-64-v2 --try -- ./app --version
  karat audit ./app-arm64 --isa armv8-a --try
  karat audit /usr/lib/libfoo.so --format json | jq '.files[].audit.total'";
