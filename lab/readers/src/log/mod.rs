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
//! **A document is one reader's.** JSON and XML are recognised by their beginning, at the
//! first byte of a line, and read as a whole; lines may stand before and behind.
//!
//! **Speed** comes from refusing lines early: a [`Line`] knows the pairs of bytes in
//! it, and a [`Needle`] that needs others is not looked for. A reader whose tool has not
//! begun sleeps until a line comes that may [wake](Wake) it. `cargo run --release -p
//! karat-readers --example log_speed` measures it.

mod annotations;
mod bazel;
mod boost;
mod boost_xml;
mod catch2;
mod check;
mod check_xml;
mod compiler;
mod cpp_xml;
mod crash;
mod ctest;
mod doctest;
mod dotnet;
mod drive;
mod ends;
mod environment;
mod ginkgo;
mod go_json;
mod go_text;
mod gtest;
mod gtest_json;
mod jest;
mod jest_json;
mod junit;
mod libtest;
mod meson;
mod minitest;
mod mocha;
mod mocha_json;
mod nextest;
mod node_spec;
mod pattern;
mod prefix;
mod pytest;
mod registry;
mod rspec;
mod rspec_json;
#[cfg(test)]
mod sleep_tests;
mod stamp;
mod stream;
mod substrate;
mod summary;
mod surefire;
mod swift;
mod tap;
mod unittest;
mod valgrind;
mod valgrind_xml;
mod vitest;
mod within;
mod zig;

pub use drive::read;
pub use go_text::PACKAGE;
pub use line::{Line, Needle, Pairs};
pub use pattern::Pattern;
pub use reader::{Claim, Confidence, DocumentState, LogReader, LogState, Sink, State};
pub use registry::{Readers, all};
pub use scan::NOT_NAMED;
pub use sleep::Wake;
pub use stream::{HEAD, LONGEST};
pub use summary::{Cut, Summary, Use};

use karat_log::{json_reader, line, line_reader, reader, scan, shape, sleep, xml, xml_reader};
