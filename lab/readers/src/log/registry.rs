//! The readers by name, in the order in which they are asked for a line.

use super::pattern::Pattern;
use super::reader::LogReader;
use super::{
    annotations, bazel, boost, boost_xml, catch2, check, check_xml, compiler, cpp_xml, crash,
    ctest, doctest, dotnet, environment, ginkgo, go_json, go_text, gtest, gtest_json, jest,
    jest_json, junit, libtest, meson, minitest, mocha, mocha_json, nextest, node_spec, pytest,
    rspec, rspec_json, substrate, surefire, swift, tap, unittest, valgrind, valgrind_xml, vitest,
    zig,
};
use crate::error::ReadError;
use karat_figures::log::{
    benchmark_dotnet, cpp_benchmark, criterion, csv, cycles, divan, documents, fio, firedancer,
    http_load, hyperfine, hyperfine_table, iperf3, jmh, k6_text, load_json, oha_text, openssl,
    perf_bench, perf_stat, pyperf, redis, runs, sysbench, time, vdf,
};

/// A new reader gets a line here. Readers of one tool stand before those of kinds
/// of lines (compilers, crashes, environment), which any log may have.
static READERS: &[&dyn LogReader] = &[
    // Its root is that of JUnit's, with a name space.
    &check_xml::CHECK_XML,
    &junit::Junit,
    &documents::GOOGLE_BENCHMARK,
    &documents::HYPERFINE,
    &documents::PYTEST_BENCHMARK,
    &documents::JMH,
    &pyperf::PYPERF_JSON,
    &documents::CRITERION,
    &cpp_xml::CATCH2_XML,
    &cpp_xml::DOCTEST_XML,
    &boost_xml::BOOST_LOG,
    &boost_xml::BOOST_REPORT,
    &valgrind_xml::VALGRIND_XML,
    &gtest_json::GTEST_JSON,
    &jest_json::JEST_JSON,
    &mocha_json::MOCHA_JSON,
    &rspec_json::RSPEC_JSON,
    &fio::FIO_JSON,
    &iperf3::IPERF3_JSON,
    &load_json::K6,
    &load_json::OHA,
    &benchmark_dotnet::BENCHMARK_DOTNET,
    // valgrind's lines have a mark of their own and stand within any other output.
    &valgrind::VALGRIND,
    &firedancer::Firedancer,
    // nextest shows what libtest printed of each test.
    &nextest::Nextest,
    &libtest::Libtest,
    // Ginkgo's suites are in what `go test` prints.
    &ginkgo::GINKGO,
    &go_json::GoJson,
    &go_text::GoText,
    &pytest::Pytest,
    &unittest::UNITTEST,
    &ctest::Ctest,
    &tap::Tap,
    &surefire::Surefire,
    &gtest::GTEST,
    &catch2::CATCH2,
    &doctest::DOCTEST,
    &boost::BOOST,
    &check::CHECK,
    &jest::JEST,
    &vitest::VITEST,
    // `▶` begins lines of both; Meson's has a number behind it.
    &meson::MESON,
    &node_spec::NODE,
    &rspec::RSPEC,
    &minitest::MINITEST,
    &bazel::BAZEL,
    &dotnet::DOTNET,
    &swift::SWIFT,
    &zig::ZIG,
    &k6_text::K6_TEXT,
    &oha_text::OHA_TEXT,
    // mocha's ticks are those of many others.
    &mocha::MOCHA,
    &csv::HYPERFINE_CSV,
    &hyperfine_table::HYPERFINE_TABLE,
    &csv::GOOGLE_BENCHMARK_CSV,
    &redis::REDIS,
    &http_load::WRK,
    &http_load::AB,
    &sysbench::SYSBENCH,
    &openssl::OPENSSL,
    &fio::FIO,
    &iperf3::IPERF3,
    &perf_stat::PERF,
    &perf_bench::PERF_BENCH,
    &time::TIME,
    &criterion::Criterion,
    &divan::DIVAN,
    &pyperf::PYPERF,
    &cpp_benchmark::GoogleBenchmark,
    &hyperfine::Hyperfine,
    &jmh::Jmh,
    &substrate::Substrate,
    &cycles::Cycles,
    &vdf::Vdf,
    &runs::Runs,
    &annotations::ANNOTATIONS,
    &crash::Crashes,
    &compiler::Compiler,
    &environment::Environment,
];

// One more is the user's pattern.
const _: () = assert!(READERS.len() < super::sleep::MOST);

/// All readers of logs.
#[must_use]
pub fn all() -> &'static [&'static dyn LogReader] {
    READERS
}

/// The readers that a log is given to.
pub struct Readers {
    list: Vec<&'static dyn LogReader>,
    named: bool,
    pattern: Option<Pattern>,
    sleepless: bool,
}

impl Readers {
    /// All of them; each finds out whether the log is its own.
    #[must_use]
    pub fn all() -> Self {
        Self {
            list: READERS.to_vec(),
            named: false,
            pattern: None,
            sleepless: false,
        }
    }

    /// Only those of these names, whatever the log looks like. One name may stand
    /// for two readers, of a tool's text and of its JSON.
    ///
    /// # Errors
    /// When there is no reader of a name; the message lists them.
    pub fn named(names: &[&str]) -> Result<Self, ReadError> {
        let missing = names
            .iter()
            .find(|name| READERS.iter().all(|reader| reader.name() != **name));
        if let Some(name) = missing {
            let mut known: Vec<&str> = READERS.iter().map(|reader| reader.name()).collect();
            known.sort_unstable();
            known.dedup();
            return Err(ReadError::NoReader {
                name: (*name).to_owned(),
                readers: known.join(", "),
            });
        }
        let wanted = |reader: &&&dyn LogReader| names.contains(&reader.name());
        Ok(Self {
            list: READERS.iter().filter(wanted).copied().collect(),
            named: true,
            pattern: None,
            sleepless: false,
        })
    }

    /// Reads the lines that fit a pattern too, before any other reader.
    #[must_use]
    pub fn with_pattern(mut self, pattern: Pattern) -> Self {
        self.pattern = Some(pattern);
        self
    }

    /// The same readers, all of which see every line.
    #[cfg(test)]
    pub(super) fn sleepless(mut self) -> Self {
        self.sleepless = true;
        self
    }

    pub(super) fn is_sleepless(&self) -> bool {
        self.sleepless
    }

    pub(super) fn list(&self) -> &[&'static dyn LogReader] {
        &self.list
    }

    pub(super) fn is_named(&self) -> bool {
        self.named
    }

    pub(super) fn pattern(&self) -> Option<&Pattern> {
        self.pattern.as_ref()
    }
}
