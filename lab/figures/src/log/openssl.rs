//! `openssl speed`: its tables, and `-mr`.
//!
//! Bytes by second for each algorithm and size of block; operations by second of
//! asymmetric ones. Source: OpenSSL 3.0.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{fact, figure, number, short};
use super::sleep::Wake;
use karat_model::log::{Event, Figure};

/// What `openssl speed` prints.
pub static OPENSSL: LineReader = LineReader {
    name: "openssl",
    reads: "the tables of `openssl speed`, with -mr too",
    mark: |line| line.starts_with(BYTES) || line.starts_with("+DT:"),
    start: |_| Box::new(Log::default()),
};

const BYTES: &str = "The 'numbers' are in 1000s of bytes per second";

#[derive(Default)]
struct Log {
    /// The sizes of blocks of the open table.
    sizes: Vec<String>,
    /// The columns of the open table of asymmetric algorithms.
    operations: Vec<String>,
    /// Something was measured, and the library tells of itself.
    measured: bool,
}

const NUMBERS: Needle = Needle::new("The 'numbers' are in ");
/// Of `op op/s` and `sign verify sign/s verify/s`.
const RATES: [Needle; 2] = [Needle::new("/s "), Needle::new("op/s")];

const WAKE: Wake = Wake {
    first: b"D+Tt",
    has: &RATES,
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        (!self.measured && self.sizes.is_empty() && self.operations.is_empty()).then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim_end();
        match line.first() {
            b'D' if self.doing(text) && text.contains(" for ") && text.contains("s: ") => {
                return Claim::Owned;
            }
            b'+' => return self.machine(text, out),
            b'T' if line.has(&NUMBERS) => return Claim::Owned,
            b't' if text.starts_with("type ") && text.ends_with(" bytes") => {
                let words: Vec<&str> = text.split_whitespace().skip(1).collect();
                let sizes = words.chunks(2).map(|pair| short(pair[0]));
                self.sizes = sizes.take(64).collect();
                self.operations.clear();
                return Claim::Owned;
            }
            b'v' | b'b' | b'o' | b'c' | b'C' if self.measured => {
                let Some((key, value)) = text.split_once(": ") else {
                    return Claim::Passed;
                };
                return match key {
                    "version" | "compiler" => {
                        out(fact(&format!("openssl {key}"), value));
                        Claim::Owned
                    }
                    "built on" | "options" | "CPUINFO" => Claim::Owned,
                    _ => Claim::Passed,
                };
            }
            b' ' if RATES.iter().any(|rate| line.has(rate))
                && text.split_whitespace().all(|w| {
                    w.trim_end_matches("/s")
                        .bytes()
                        .all(|b| b.is_ascii_alphabetic())
                }) =>
            {
                self.operations = text.split_whitespace().map(short).take(8).collect();
                self.sizes.clear();
                return Claim::Owned;
            }
            _ => {}
        }
        if !self.sizes.is_empty() {
            return self.row(text, out);
        }
        match self.operations.is_empty() {
            true => Claim::Passed,
            false => self.asymmetric(text, out),
        }
    }
}

fn rate(name: &str, size: &str, bytes: f64) -> Figure {
    let mut figure = figure("openssl speed", name, bytes, "B/s");
    figure.parameters.insert("bytes".to_owned(), short(size));
    figure
}

impl Log {
    fn doing(&mut self, text: &str) -> bool {
        let doing = text.starts_with("Doing ");
        self.measured |= doing;
        doing
    }

    /// `sha256         1004979.46k   1200000.00k`.
    fn row(&mut self, text: &str, out: &mut Sink<'_>) -> Claim {
        let words: Vec<&str> = text.split_whitespace().collect();
        let count = self.sizes.len();
        if words.len() <= count {
            self.sizes.clear();
            return Claim::Passed;
        }
        let (name, values) = words.split_at(words.len() - count);
        let value = |word: &&str| word.strip_suffix('k').and_then(number);
        let values: Option<Vec<f64>> = values.iter().map(value).collect();
        let Some(values) = values else {
            self.sizes.clear();
            return Claim::Passed;
        };
        for (size, value) in self.sizes.iter().zip(values) {
            out(Event::Figure(rate(&name.join(" "), size, value * 1000.0)));
        }
        Claim::Owned
    }

    /// `rsa 2048 bits 0.000886s 0.000020s   1129.0  48797.0`: only the rates, since the
    /// times are rounded more.
    fn asymmetric(&mut self, text: &str, out: &mut Sink<'_>) -> Claim {
        let words: Vec<&str> = text.split_whitespace().collect();
        let count = self.operations.len();
        if words.len() <= count {
            self.operations.clear();
            return Claim::Passed;
        }
        let (name, values) = words.split_at(words.len() - count);
        for (operation, value) in self.operations.iter().zip(values) {
            if let (Some(what), Some(value)) = (operation.strip_suffix("/s"), number(value)) {
                let mut figure = figure("openssl speed", &name.join(" "), value, "op/s");
                figure
                    .parameters
                    .insert("operation".to_owned(), what.to_owned());
                out(Event::Figure(figure));
            }
        }
        Claim::Owned
    }

    /// `+H:1024`, `+F:6:sha256:1089788146.24`.
    fn machine(&mut self, text: &str, out: &mut Sink<'_>) -> Claim {
        let Some((kind, rest)) = text[1..].split_once(':') else {
            return Claim::Passed;
        };
        match kind {
            "H" => {
                self.sizes.clear();
                self.operations = rest.split(':').map(short).take(64).collect();
            }
            "F" => {
                let mut fields = rest.split(':').skip(1);
                let name = fields.next().unwrap_or("");
                for (size, value) in self.operations.iter().zip(fields) {
                    if let Some(value) = number(value) {
                        out(Event::Figure(rate(name, size, value)));
                    }
                }
            }
            "DT" | "R" | "DTP" | "R1" | "R2" => {}
            _ => return Claim::Passed,
        }
        Claim::Owned
    }
}
