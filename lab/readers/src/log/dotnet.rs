//! `dotnet test`: what VSTest's console logger prints.
//!
//! `  Passed Shop.Basket.Adds [12 ms]` is there with `--logger "console;verbosity=normal"`;
//! else only failures are named, and the last line of each assembly tells the others.
//! Source: <https://learn.microsoft.com/dotnet/core/tools/dotnet-test>.

use super::line::{Line, Needle};
use super::line_reader::LineReader;
use super::reader::{Claim, LogState, Sink};
use super::scan::{seconds, short, test, unnamed};
use super::sleep::Wake;
use karat_model::log::{Event, Outcome, Test};

pub static DOTNET: LineReader = LineReader {
    name: "dotnet",
    reads: "the text that `dotnet test` prints",
    mark: |line| total(line).is_some() || line.starts_with("Test run for "),
    start: |_| Box::new(Log::default()),
};

#[derive(Default)]
struct Log {
    failed: Option<Test>,
    /// Behind `Error Message:`, whose first line is the reason.
    message: bool,
    named: [u64; 3],
}

const TIMES: [Needle; 2] = [Needle::new("ms]"), Needle::new(" s]")];

const WAKE: Wake = Wake {
    first: b"PFS",
    has: &TIMES,
};

impl LogState for Log {
    fn asleep(&self) -> Option<&'static Wake> {
        self.failed.is_none().then_some(&WAKE)
    }

    fn line(&mut self, line: &Line<'_>, out: &mut Sink<'_>) -> Claim {
        let text = line.text.trim_end();
        if matches!(line.first(), b'P' | b'F' | b'S')
            && let Some(counts) = total(text)
        {
            self.flush(out);
            for (outcome, count) in [Outcome::Passed, Outcome::Failed, Outcome::Skipped]
                .into_iter()
                .zip(counts)
            {
                unnamed(
                    "",
                    outcome,
                    count.saturating_sub(self.named[outcome as usize]),
                    out,
                );
            }
            self.named = [0; 3];
            return Claim::Owned;
        }
        if line.first() != b' ' {
            self.flush(out);
            return Claim::Passed;
        }
        if TIMES.iter().any(|time| line.has(time))
            && let Some((outcome, name, time)) = row(text)
        {
            self.flush(out);
            let (suite, name) = split(name);
            let mut test = test(suite, name, outcome);
            test.seconds = time;
            self.named[outcome as usize] += 1;
            match outcome {
                Outcome::Failed => self.failed = Some(test),
                _ => out(Event::Test(test)),
            }
            return Claim::Owned;
        }
        let Some(failed) = &mut self.failed else {
            return Claim::Passed;
        };
        if text.trim() == "Error Message:" {
            self.message = true;
        } else if std::mem::take(&mut self.message) {
            failed.reason = Some(short(text));
        }
        Claim::Owned
    }

    fn end(&mut self, out: &mut Sink<'_>) -> Result<(), String> {
        self.flush(out);
        match self.named.iter().sum::<u64>() {
            0 => Ok(()),
            _ => Err("the log ends before the line that counts the tests".to_owned()),
        }
    }
}

impl Log {
    fn flush(&mut self, out: &mut Sink<'_>) {
        if let Some(test) = self.failed.take() {
            out(Event::Test(test));
        }
    }
}

/// Class and method; the arguments of a case may hold full stops.
fn split(name: &str) -> (&str, &str) {
    let plain = name.split('(').next().unwrap_or(name);
    match plain.rfind('.') {
        Some(at) => (&name[..at], &name[at + 1..]),
        None => ("", name),
    }
}

/// `  Passed Shop.Basket.Adds [12 ms]`.
fn row(text: &str) -> Option<(Outcome, &str, Option<f64>)> {
    let text = text.strip_prefix("  ")?;
    let (word, rest) = text.split_once(' ')?;
    let outcome = match word {
        "Passed" => Outcome::Passed,
        "Failed" => Outcome::Failed,
        "Skipped" => Outcome::Skipped,
        _ => return None,
    };
    let (name, time) = rest.strip_suffix(']')?.rsplit_once(" [")?;
    Some((outcome, name, seconds(time.trim_start_matches("< "))))
}

/// `Passed!  - Failed:     0, Passed:     3, Skipped:     0, Total:     3, …`.
fn total(text: &str) -> Option<[u64; 3]> {
    let (word, rest) = text.split_once('!')?;
    if !["Passed", "Failed", "Skipped"].contains(&word) {
        return None;
    }
    let rest = rest.trim_start().strip_prefix("- ")?;
    let count = |key: &str| -> Option<u64> {
        let (_, value) = rest.split_once(key)?;
        value.trim_start().split([',', ' ']).next()?.parse().ok()
    };
    Some([count("Passed:")?, count("Failed:")?, count("Skipped:")?])
}
