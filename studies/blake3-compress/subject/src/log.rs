//! All of it as one log, in the form of the report's: tests, deliberate misuse, benchmarks.
//!
//! A line is that of Firedancer's `fd_log.c` (commit 178b48f, 2026-08-21) on stderr:
//! `LEVEL MM-DD HH:MM:SS.uuuuuu THREAD file(line): message`. So what reads the report's logs
//! reads these, and two logs are a before and an after:
//!
//!     FORM=general blake3-compress log > before.log
//!     FORM=fast    blake3-compress log > after.log
//!     karat compare before.log after.log
//!
//! Benchmarks here run once, as the report's did: `bench` is for measuring.

use std::fmt::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use study_support::{Prng, Unit};

use crate::form::Form;
use crate::{negative, selftest, workloads};

const INPUT_SEED: u64 = 0x6c_6f67;

/// Writes the log.
pub fn run() -> Result<String, String> {
    let form = Form::of_environment()?;
    let mut out = String::new();
    selftest::each(form, |name, _| {
        notice(&mut out, line!(), &format!("OK: {name}"))
    })?;
    negative::each(|what, words| {
        write_line(&mut out, "WARNING", line!(), &format!("{what}: {words}"));
    })?;
    notice(&mut out, line!(), "OK: misuse");
    for name in workloads::names() {
        notice(&mut out, line!(), &format!("Benchmarking {name}"));
        benchmark(&mut out, name);
        notice(&mut out, line!(), &format!("OK: bench {name}"));
    }
    notice(&mut out, line!(), "pass");
    Ok(out)
}

/// One run of a workload: the mean of its rounds.
fn benchmark(out: &mut String, name: &str) {
    let mut workload = workloads::by_name(name);
    let mut prng = Prng::new(INPUT_SEED);
    let rounds = workload.rounds();
    workload.round(&mut prng);
    let time: Duration = (0..rounds).map(|_| workload.round(&mut prng).0).sum();
    let rate = (workload.amount() * rounds) as f64 / time.as_secs_f64();
    let text = match workload.unit() {
        Unit::Bytes => format!("~{:6.3} Gbps throughput / core", rate * 8e-9),
        Unit::Elements => format!("{rate:.3e} LtHash updates / second / core"),
    };
    notice(out, line!(), &text);
}

fn notice(out: &mut String, line: u32, text: &str) {
    write_line(out, "NOTICE", line, text);
}

fn write_line(out: &mut String, level: &str, line: u32, text: &str) {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let (month, day) = date(now.as_secs() / 86_400);
    let second = now.as_secs() % 86_400;
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let micros = now.subsec_micros();
    writeln!(
        out,
        "{level:7} {month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{micros:06} {:9} \
         blake3_compress.rs({line}): {text}",
        "main"
    )
    .expect("a String takes everything");
}

/// Month and day of a day since 1970: H. Hinnant, "chrono-Compatible Low-Level Date Algorithms",
/// 2013, `civil_from_days`.
fn date(days: u64) -> (u64, u64) {
    let day_of_era = (days + 719_468) % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    (
        if shifted < 10 {
            shifted + 3
        } else {
            shifted - 9
        },
        day,
    )
}
