//! What watching shows of a program that does nothing. What is no less of the soaked
//! program's own is not that program's doing, and is taken off its rates.

use karat_host::watched::Watched;
use karat_model::soak::{Floor, Rates, Reading};
use karat_process::{Command, Ending, Live};
use std::io;
use std::time::{Duration, Instant};

/// Looks at the empty program; runs of it with `--repeat`.
const LOOKS: u32 = 5;
/// Between them.
const EVERY: Duration = Duration::from_millis(40);
/// Until its loader is done.
const SETTLED: Duration = Duration::from_millis(60);

/// The floor of a program that runs on, or of one that is started again and again; nothing
/// where the empty program cannot be watched.
///
/// # Errors
/// When a process cannot be waited for.
pub(super) fn measure(repeat: bool) -> io::Result<Option<Floor>> {
    match repeat {
        true => of_runs(),
        false => of_looks(),
    }
}

fn of_looks() -> io::Result<Option<Floor>> {
    let mut command = Command::new("sleep");
    command.arg("60");
    let Ok(mut live) = Live::start(&mut command) else {
        return Ok(None);
    };
    wait(&mut live, SETTLED)?;
    let looks = looks(&mut live);
    live.end(Duration::from_secs(1), &mut |_| {})?;
    let looks = looks?;
    let (Some(first), Some(last)) = (looks.first(), looks.last()) else {
        return Ok(None);
    };
    let seconds = (last.0 - first.0).as_secs_f64();
    let memory = last.1.memory.unwrap_or_default();
    let before = first.1.memory.unwrap_or_default();
    let rate = |count: fn(&Reading) -> f64| (count(&last.1) - count(&first.1)).max(0.0) / seconds;
    Ok((seconds > 0.0).then(|| Floor {
        program: "sleep".into(),
        looks: looks.len() as u32,
        rss: Some(memory.rss),
        growth: Some(memory.rss.saturating_sub(before.rss)),
        run: None,
        rates: Rates {
            cpu: rate(|r| r.cpu),
            minor_faults: rate(|r| r.minor_faults as f64),
            major_faults: rate(|r| r.major_faults as f64),
            waits: rate(|r| r.waits as f64),
            switches: rate(|r| r.switches as f64),
            transfers: rate(|r| r.transfers.unwrap_or(0) as f64),
        },
    }))
}

fn looks(live: &mut Live) -> io::Result<Vec<(Instant, Reading)>> {
    let mut out = Vec::new();
    let Ok(mut watched) = Watched::new(live.pid()) else {
        return Ok(out);
    };
    for _ in 0..LOOKS {
        // Memory is wanted at each look.
        let long = Duration::from_secs(1);
        match watched.read(long) {
            Ok(reading) => out.push((Instant::now(), reading)),
            Err(_) => break,
        }
        wait(live, EVERY)?;
    }
    Ok(out)
}

fn wait(live: &mut Live, time: Duration) -> io::Result<()> {
    live.wait(Instant::now() + time, &mut |_| {}).map(drop)
}

fn of_runs() -> io::Result<Option<Floor>> {
    let mut sum = Rates::default();
    let begun = Instant::now();
    for _ in 0..LOOKS {
        let Ok(mut live) = Live::start(&mut Command::new("true")) else {
            return Ok(None);
        };
        while !live.wait(Instant::now() + SETTLED, &mut |_| {})? {}
        let end = live.end(Duration::ZERO, &mut |_| {})?;
        if end.ending != Ending::Exit(0) {
            return Ok(None);
        }
        sum = sum.plus(&super::program::rates(&end), 1.0 / f64::from(LOOKS));
    }
    Ok(Some(Floor {
        program: "true".into(),
        looks: LOOKS,
        rss: None,
        growth: None,
        run: Some(begun.elapsed().as_secs_f64() / f64::from(LOOKS)),
        rates: sum,
    }))
}
