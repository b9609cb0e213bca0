//! Hashes files, as sha256sum does:
//! `cargo run --release -p karat-hash --example hash_demo -- --algorithm blake3 FILE…`
//!
//! Lines `HEX  FILE` on stdout, in coreutils' form (names with a backslash or a line break are
//! escaped, and the line begins with a backslash), so that `sha256sum --check` reads them.
//! Speed on stderr when that is a terminal, or with `--verbose`.

use karat_hash::{blake2b, blake2s, blake3, keccak, sha3, sha256};
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, ErrorKind, IsTerminal, Read, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

const USAGE: &str = "usage: hash_demo --algorithm NAME [--verbose] [FILE]...\n       \
                     hash_demo --list\nWithout FILE, or when FILE is -, reads stdin.";

/// Bytes read at once: enough for all lanes of BLAKE3's kernels, and stays in the L2 cache.
const BUFFER: usize = 256 << 10;

/// Between two lines of progress.
const PROGRESS: Duration = Duration::from_millis(250);

/// A hash that is being computed.
trait Digest: Write {
    fn digest(&self) -> Vec<u8>;
}

macro_rules! algorithms {
    ($($name:literal $hasher:ty;)*) => {
        $(impl Digest for $hasher {
            fn digest(&self) -> Vec<u8> {
                self.finalize().to_vec()
            }
        })*

        /// Names, and what begins such a hash.
        const ALGORITHMS: &[(&str, fn() -> Box<dyn Digest>)] =
            &[$(($name, || Box::new(<$hasher>::new()))),*];
    };
}

algorithms! {
    "blake2b-512" blake2b::Hasher<64>;
    "blake2b-384" blake2b::Hasher<48>;
    "blake2b-256" blake2b::Hasher<32>;
    "blake2s-256" blake2s::Hasher<32>;
    "blake2s-128" blake2s::Hasher<16>;
    "blake3" blake3::Hasher;
    "keccak256" keccak::keccak256::Hasher;
    "keccak512" keccak::keccak512::Hasher;
    "sha3-224" sha3::sha3_224::Hasher;
    "sha3-256" sha3::sha3_256::Hasher;
    "sha3-384" sha3::sha3_384::Hasher;
    "sha3-512" sha3::sha3_512::Hasher;
    "sha224" sha256::sha224::Hasher;
    "sha256" sha256::Hasher;
}

fn main() -> ExitCode {
    if let Err(error) = karat_cpu::check_force(karat_hash::kernels()) {
        return usage(&error.to_string());
    }
    let asked = match Asked::read(std::env::args_os().skip(1)) {
        Ok(Some(asked)) => asked,
        Ok(None) => {
            let names: Vec<&str> = ALGORITHMS.iter().map(|(name, _)| *name).collect();
            return written(
                writeln!(io::stdout(), "{}", names.join("\n")),
                ExitCode::SUCCESS,
            );
        }
        Err(wrong) => return usage(&wrong),
    };
    let mut code = ExitCode::SUCCESS;
    for file in &asked.files {
        match hash(file, &asked) {
            Ok(digest) => {
                let line = io::stdout().write_all(&line(&digest, file));
                if line.is_err() {
                    return written(line, code);
                }
            }
            Err(error) => {
                eprintln!("hash_demo: {}: {error}", file.display());
                code = ExitCode::FAILURE;
            }
        }
    }
    code
}

fn usage(wrong: &str) -> ExitCode {
    eprintln!("hash_demo: {wrong}\n{USAGE}");
    ExitCode::from(2)
}

/// Nobody reads on: no error, as in `hash_demo … | head`.
fn written(result: io::Result<()>, code: ExitCode) -> ExitCode {
    match result {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            eprintln!("hash_demo: cannot write to stdout: {error}");
            ExitCode::FAILURE
        }
        _ => code,
    }
}

/// What the command line asks for.
struct Asked {
    begin: fn() -> Box<dyn Digest>,
    files: Vec<OsString>,
    verbose: bool,
    terminal: bool,
}

impl Asked {
    /// `None` for `--list`.
    fn read(mut args: impl Iterator<Item = OsString>) -> Result<Option<Self>, String> {
        let (mut begin, mut files, mut verbose) = (None, Vec::new(), false);
        let mut options = true;
        while let Some(arg) = args.next() {
            match arg.to_str() {
                Some("--") if options => options = false,
                Some("--list") if options => return Ok(None),
                Some("-v" | "--verbose") if options => verbose = true,
                Some("-a" | "--algorithm") if options => {
                    let name = args.next().ok_or("--algorithm wants a name")?;
                    begin = Some(named(&name.to_string_lossy())?);
                }
                Some(option) if options && option.starts_with('-') && option != "-" => {
                    return Err(format!("unknown option {option}"));
                }
                _ => files.push(arg),
            }
        }
        if files.is_empty() {
            files.push("-".into());
        }
        Ok(Some(Self {
            begin: begin.ok_or("which --algorithm? --list shows them")?,
            files,
            verbose,
            terminal: io::stderr().is_terminal(),
        }))
    }
}

fn named(name: &str) -> Result<fn() -> Box<dyn Digest>, String> {
    let found = ALGORITHMS.iter().find(|(known, _)| *known == name);
    let (_, begin) = found.ok_or_else(|| format!("no algorithm `{name}`; --list shows them"))?;
    Ok(*begin)
}

/// The digest of a file's content.
fn hash(file: &OsStr, asked: &Asked) -> io::Result<Vec<u8>> {
    let mut input: Box<dyn Read> = match file.to_str() {
        Some("-") => Box::new(io::stdin()),
        _ => Box::new(File::open(file)?),
    };
    let mut hasher = (asked.begin)();
    let mut buffer = vec![0; BUFFER];
    let (start, mut told, mut count) = (Instant::now(), Instant::now(), 0);
    loop {
        match input.read(&mut buffer) {
            Ok(0) => break,
            Ok(read) => {
                hasher.write_all(&buffer[..read])?;
                count += read as u64;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
        if asked.terminal && told.elapsed() >= PROGRESS {
            eprint!("\r{}\x1b[K", speed(file, count, start.elapsed()));
            told = Instant::now();
        }
    }
    let digest = hasher.digest();
    if asked.terminal {
        eprint!("\r\x1b[K");
    }
    if asked.verbose {
        eprintln!("{}", speed(file, count, start.elapsed()));
    }
    Ok(digest)
}

/// How much was read and how fast, the reading of the file included.
fn speed(file: &OsStr, count: u64, time: Duration) -> String {
    let mib = count as f64 / f64::from(1 << 20);
    let rate = mib / time.as_secs_f64().max(1e-9);
    format!("{}: {mib:.1} MiB, {rate:.0} MiB/s", file.display())
}

/// A line in coreutils' form.
fn line(digest: &[u8], file: &OsStr) -> Vec<u8> {
    let name = file.as_encoded_bytes();
    let mut line = Vec::new();
    if name.iter().any(|b| b"\\\n\r".contains(b)) {
        line.push(b'\\');
    }
    for byte in digest {
        line.extend(format!("{byte:02x}").bytes());
    }
    line.extend(b"  ");
    for byte in name {
        match byte {
            b'\\' => line.extend(b"\\\\"),
            b'\n' => line.extend(b"\\n"),
            b'\r' => line.extend(b"\\r"),
            byte => line.push(*byte),
        }
    }
    line.push(b'\n');
    line
}
