//! Logs of tests, benchmarks and builds in, [events](karat_model::log::Event) out.
//!
//! [`read`] goes through a log once, in memory that does not grow with it. Each
//! [`LogReader`] knows the lines of one tool, or one kind of line that any log may
//! have. **All readers run on every log**, since a log of a build, its tests and its
//! benchmarks is one file: a reader whose lines are unmistakable takes them wherever
//! they are, any other one waits until its tool's first line. [`Readers::named`]
//! leaves the choice to the user instead.
//!
//! **A line is counted once.** Readers are asked in the registry's order, tools
//! before kinds of lines, and the first one that [owns](Claim::Owned) a line keeps
//! it. So a panic that a failed test printed is that test's, and no crash.
//!
//! **What nobody knows is told.** A line that no reader owns is counted, and comes out as
//! an event where it looks like a test or an error (`shape.rs`).
//!
//! **A document is one reader's.** JSON and XML files are recognised by their
//! beginning and read as a whole.
//!
//! **Speed** comes from refusing lines early: a [`Line`] knows the pairs of bytes in
//! it, and a [`Needle`] that needs others is not looked for. A reader whose tool has not
//! begun sleeps until a line comes that may [wake](Wake) it. `cargo run --release -p
//! karat-readers --example log_speed` measures it.

pub mod documents;

mod annotations;
mod bazel;
mod benchmark_dotnet;
mod catch2;
mod compiler;
mod counters;
mod cpp_benchmark;
mod cpp_xml;
mod crash;
mod criterion;
mod csv;
mod ctest;
mod cycles;
mod doctest;
mod dotnet;
mod drive;
mod environment;
mod fio;
mod firedancer;
mod go_json;
mod go_text;
mod gtest;
mod gtest_json;
mod http_load;
mod hyperfine;
mod iperf3;
mod jest;
mod jest_json;
mod jmh;
mod json_reader;
mod junit;
mod libtest;
mod line;
mod line_reader;
mod load_json;
mod meson;
mod mocha;
mod mocha_json;
mod nextest;
mod node_spec;
mod openssl;
mod pattern;
mod perf_stat;
mod prefix;
mod pytest;
mod reader;
mod redis;
mod registry;
mod rspec;
mod rspec_json;
mod runs;
mod scan;
mod shape;
mod sleep;
mod substrate;
mod surefire;
mod swift;
mod sysbench;
mod tap;
mod time;
mod valgrind;
mod valgrind_xml;
mod vdf;
mod vitest;
mod xml;
mod xml_reader;

pub use drive::{HEAD, LONGEST, Summary, Use, read};
pub use line::{Line, Needle, Pairs};
pub use pattern::Pattern;
pub use reader::{Claim, Confidence, DocumentState, LogReader, LogState, Sink, State};
pub use registry::{Readers, all};
pub use scan::NOT_NAMED;
pub use sleep::Wake;
