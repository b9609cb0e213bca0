//! What a log says of the machine and the build it came from.
//!
//! Versions of compilers, the processor, flags in variables and on command lines,
//! the commit, feature macros (`FD_HAS_AVX=1`), pinning (`taskset -c 2 nice -n19`).

use super::line::{Line, Needle};
use super::reader::{Claim, Confidence, LogReader, LogState, Sink, State};
use super::scan::{fact, short};
use super::sleep::Wake;

pub struct Environment;

impl LogReader for Environment {
    fn name(&self) -> &'static str {
        "environment"
    }

    fn reads(&self) -> &'static str {
        "compiler versions, flags, processor, commit, feature macros and pinning"
    }

    fn recognise(&self, _: &[u8]) -> Confidence {
        // Any log may have them.
        Confidence::No
    }

    fn start(&self, _: Confidence) -> State {
        State::Lines(Box::new(Log))
    }
}

struct Log;

const WAKE: Wake = Wake {
    first: b"rLgcojC-mM/",
    has: &[CLANG, FLAGS, COMMIT, HEAD_AT, MACRO, TASKSET],
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        Some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let mut claim = Claim::Passed;
        let mut tell = |key: &str, value: &str| {
            if !value.trim().is_empty() {
                claim = Claim::Owned;
                out(fact(key, value));
            }
        };
        version(line, &mut tell);
        flags(line, &mut tell);
        commit(line, &mut tell);
        macros(line, &mut tell);
        pinning(line, &mut tell);
        command(line, &mut tell);
        claim
    }
}

type Tell<'a> = dyn FnMut(&str, &str) + 'a;

/// Beginnings of lines and the keys of what follows.
const BEGINNINGS: &[(&str, &str)] = &[
    ("rustc ", "rustc"),
    ("LLVM version: ", "LLVM"),
    ("gcc version ", "gcc"),
    ("gcc (", "gcc"),
    ("g++ (", "g++"),
    ("cc (", "cc"),
    ("go version ", "go"),
    ("openjdk version ", "jdk"),
    ("java version ", "jdk"),
    ("Compiler: ", "compiler"),
    ("-- The C compiler identification is ", "C compiler"),
    ("-- The CXX compiler identification is ", "C++ compiler"),
    ("model name\t: ", "cpu"),
    ("Model name: ", "cpu"),
    ("MACHINE=", "MACHINE"),
    ("MACHINE: ", "MACHINE"),
];

const CLANG: Needle = Needle::new("clang version ");

fn version(line: &Line<'_>, tell: &mut Tell<'_>) {
    let text = line.text;
    if matches!(
        line.first(),
        b'r' | b'L' | b'g' | b'c' | b'o' | b'j' | b'C' | b'-' | b'm' | b'M'
    ) {
        for (beginning, key) in BEGINNINGS {
            let Some(rest) = text.strip_prefix(beginning) else {
                continue;
            };
            // `rustc --print` is a command, `rustc 1.95.0` a version.
            let digit = || rest.contains(|c: char| c.is_ascii_digit()) && !rest.starts_with('-');
            if *key == "rustc" && !rest.starts_with(|c: char| c.is_ascii_digit()) {
                return;
            }
            if ["gcc", "g++", "cc", "go", "jdk"].contains(key) && !digit() {
                return;
            }
            // `gcc (Debian 12.2.0-14) 12.2.0`: the bracket is part of it.
            let rest = match beginning.ends_with('(') {
                true => &text[beginning.len() - 1..],
                false => rest,
            };
            tell(key, rest);
            return;
        }
    }
    if let Some(at) = line.find(&CLANG)
        && at < 32
    {
        tell("clang", &text[at + CLANG.text().len()..]);
    }
}

const FLAGS: Needle = Needle::new("FLAGS=");
const VARIABLES: &[&str] = &[
    "RUSTFLAGS",
    "CARGO_ENCODED_RUSTFLAGS",
    "CFLAGS",
    "CXXFLAGS",
    "CPPFLAGS",
    "LDFLAGS",
    "GOFLAGS",
    "MAKEFLAGS",
];

/// `RUSTFLAGS="-C target-cpu=native"`, `CFLAGS=-O3 -march=native`.
fn flags(line: &Line<'_>, tell: &mut Tell<'_>) {
    let Some(at) = line.find(&FLAGS) else {
        return;
    };
    let text = line.text;
    let is_name = |c: char| c.is_ascii_uppercase() || c == '_';
    let start = text[..at].trim_end_matches(is_name).len();
    let name = &text[start..at + "FLAGS".len()];
    if !VARIABLES.contains(&name) {
        return;
    }
    let value = &text[at + FLAGS.text().len()..];
    if let Some(quote) = value.chars().next().filter(|c| ['"', '\''].contains(c)) {
        tell(name, value[1..].split(quote).next().unwrap_or(""));
        return;
    }
    // Without quotes: the words that look like flags or like arguments of `-C`.
    let mut end = 0;
    let mut argument = false;
    for word in value.split_inclusive(' ') {
        let flag = word.trim();
        if !argument && !flag.starts_with('-') {
            break;
        }
        argument = ["-C", "-Z", "-l", "-L"].contains(&flag);
        end += word.len();
    }
    tell(name, &value[..end]);
}

const COMMIT: Needle = Needle::new("ommit");
const HEAD_AT: Needle = Needle::new("HEAD is now at ");

/// `commit 86eeb31cd…`, `Git commit: 86eeb31cd`, `HEAD is now at 86eeb31cd …`.
fn commit(line: &Line<'_>, tell: &mut Tell<'_>) {
    let at = match (line.find(&HEAD_AT), line.find(&COMMIT)) {
        (Some(at), _) => at + HEAD_AT.text().len(),
        (None, Some(at)) => at + COMMIT.text().len(),
        (None, None) => return,
    };
    let is_separator = |c: char| !c.is_ascii_alphanumeric();
    let mut words = line.text[at..]
        .split(is_separator)
        .filter(|word| !word.is_empty());
    // `commit hash: …`, `commit id …`
    let hash = words.by_ref().take(2).find(|word| {
        (7..=64).contains(&word.len())
            && word.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
            && word.bytes().any(|b| b.is_ascii_digit())
    });
    if let Some(hash) = hash {
        tell("commit", hash);
    }
}

const MACRO: Needle = Needle::new("FD_HAS_");

/// `-DFD_HAS_AVX=1`, `FD_HAS_AVX 1`, `-DFD_HAS_AVX`.
fn macros(line: &Line<'_>, tell: &mut Tell<'_>) {
    if !line.has(&MACRO) {
        return;
    }
    for (at, _) in line.text.match_indices(MACRO.text()) {
        let rest = &line.text[at..];
        let is_name = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
        let end = rest.find(|c| !is_name(c)).unwrap_or(rest.len());
        let behind = rest[end..].trim_start_matches([' ', '\t', ':', '=']);
        let digits = behind
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(behind.len());
        let joined = rest[end..].starts_with(['=', ' ', '\t', ':']);
        if joined && digits > 0 {
            tell(&rest[..end], &behind[..digits]);
        } else if line.text[..at].ends_with("-D") {
            tell(&rest[..end], "1");
        }
    }
}

const TASKSET: Needle = Needle::new("taskset -");

/// `taskset -c 2 nice -n19 program`: up to the program.
fn pinning(line: &Line<'_>, tell: &mut Tell<'_>) {
    let Some(at) = line.find(&TASKSET) else {
        return;
    };
    let mut kept = Vec::new();
    let mut value = false;
    for word in line.text[at..].split_whitespace().take(16) {
        let word = word.trim_matches(['"', '`', '\'']);
        let known =
            matches!(word, "taskset" | "nice" | "chrt" | "numactl") || word.starts_with('-');
        if !known && !value {
            break;
        }
        value = matches!(word, "-c" | "-n" | "-p" | "-f" | "-r" | "--cpu-list") && known;
        kept.push(word);
    }
    tell("pinning", &kept.join(" "));
}

const COMPILERS: &[&str] = &["gcc", "g++", "cc", "c++", "clang", "clang++"];

/// A compiler's command line: which one, and the flags that decide its code.
fn command(line: &Line<'_>, tell: &mut Tell<'_>) {
    if !matches!(line.first(), b'g' | b'c' | b'/') {
        return;
    }
    let mut words = line.text.split_whitespace();
    let Some(first) = words.next() else { return };
    let tool = first.rsplit('/').next().unwrap_or(first);
    // clang-14 and gcc-12 too.
    let plain = tool.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
    if !COMPILERS.contains(&plain.trim_end_matches('-')) {
        return;
    }
    let (mut compiles, mut kept) = (false, Vec::new());
    for word in words.take(512) {
        compiles |= word == "-c" || word == "-o";
        let decides = ["-O", "-m", "-f", "-std="]
            .iter()
            .any(|flag| word.starts_with(flag));
        // Paths differ between checkouts and decide nothing.
        if decides && !word.contains('/') {
            kept.push(word);
        }
    }
    if compiles {
        tell("compiler", tool);
        tell("flags", &short(&kept.join(" ")));
    }
}
