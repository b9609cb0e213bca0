//! From samples to epochs.

use karat_judge::{median, quantile, tail};
use karat_model::soak::{Epoch, Floor, Memory, Point, Rates, Reading, SoakPlan, SoakSample, Tails};

/// Share of the free width from which on a look counts as quiet, as for runs
/// (`karat_host::neighbours::QUIET`).
const QUIET: f64 = karat_host::neighbours::QUIET;

/// Share of all looks that may lie above the free width: looks that an interrupt made too
/// large.
const ABOVE: f64 = 0.005;

/// The whole epochs of a soak, in their order. Samples are those of one soak, in theirs. What
/// the watching itself shows is taken off the rates.
pub(crate) fn epochs(plan: &SoakPlan, samples: &[SoakSample], floor: Option<&Floor>) -> Vec<Epoch> {
    let ground = Ground {
        free: free_widths(samples),
        floor,
    };
    let mut out = Vec::new();
    let mut begin = 0.0;
    for start in samples.chunk_by(|a, b| a.start == b.start) {
        of_start(plan, start, begin, &ground, &mut out);
        begin = start.last().map_or(begin, |s| s.at);
    }
    out
}

/// Throughput between one sample and the next over the epochs that are judged, which is finer
/// than theirs: it shows levels that an epoch would average. Not between two lines: those that a
/// program prints while karat takes a sample are read together, and the times between them are
/// karat's. A rate that a line itself tells counts as it stands.
pub(crate) fn fine_throughput(samples: &[SoakSample], epochs: &[Epoch]) -> Vec<f64> {
    let judged = |at: f64| {
        let inside = |e: &Epoch| !e.warm && e.at < at && at <= e.at + e.seconds;
        epochs.iter().any(inside)
    };
    let mut out = Vec::new();
    for start in samples.chunk_by(|a, b| a.start == b.start) {
        let mut before: Option<&Point> = None;
        for points in start.iter().map(|s| &s.points) {
            let told = points.iter().filter(|p| judged(p.at));
            out.extend(told.filter_map(|p| p.rate));
            let counts = |p: &&Point| p.rate.is_none() && (p.total.is_some() || p.done.is_some());
            let Some(last) = points.iter().rfind(counts) else {
                continue;
            };
            let earlier = before.replace(last).filter(|_| judged(last.at));
            let Some(earlier) = earlier.filter(|e| e.at < last.at) else {
                continue;
            };
            let operations = match (last.total, earlier.total) {
                (Some(total), Some(earlier)) => total - earlier,
                _ => points.iter().filter_map(|p| p.done).sum(),
            };
            out.push(operations / (last.at - earlier.at));
        }
    }
    out.retain(|rate| rate.is_finite() && *rate > 0.0);
    out
}

/// Width of each processor's free core.
fn free_widths(samples: &[SoakSample]) -> Vec<f64> {
    let processors = samples.iter().map(|s| s.widths.len()).max().unwrap_or(0);
    let free = |processor: usize| {
        let mut widths: Vec<f64> = samples
            .iter()
            .filter_map(|s| s.widths.get(processor).copied())
            .collect();
        widths.sort_unstable_by(f64::total_cmp);
        quantile(&widths, 1.0 - ABOVE).unwrap_or(0.0)
    };
    (0..processors).map(free).collect()
}

/// What the samples of a soak are seen against.
struct Ground<'a> {
    /// Width of each processor's free core.
    free: Vec<f64>,
    floor: Option<&'a Floor>,
}

impl Ground<'_> {
    /// What the watching itself shows in a second of these samples.
    fn rates(&self, inside: &[SoakSample], seconds: f64) -> Rates {
        let Some(floor) = self.floor else {
            return Rates::default();
        };
        let times = match floor.run {
            Some(_) => inside.iter().map(|s| f64::from(s.runs)).sum::<f64>() / seconds,
            None => 1.0,
        };
        Rates::default().plus(&floor.rates, times)
    }
}

fn of_start(
    plan: &SoakPlan,
    samples: &[SoakSample],
    begin: f64,
    ground: &Ground<'_>,
    out: &mut Vec<Epoch>,
) {
    let last = samples.last().map_or(begin, |s| s.at);
    let mut at = begin;
    // The last sample comes a moment before or after the end.
    while last >= at + plan.epoch - plan.every / 2.0 {
        let end = at + plan.epoch;
        // A sample comes a moment before or after its time, and belongs to one epoch.
        let until = |time: f64| samples.partition_point(|s| s.at <= time + plan.every / 2.0);
        let (from, to) = (until(at), until(end));
        // The last one before belongs to the counts' beginning.
        let before = from.checked_sub(1).map(|i| &samples[i]);
        let inside = &samples[from..to];
        if !inside.is_empty() {
            out.push(epoch(
                plan,
                before,
                inside,
                samples,
                (at, end),
                begin,
                ground,
            ));
        }
        at = end;
    }
}

fn epoch(
    plan: &SoakPlan,
    before: Option<&SoakSample>,
    inside: &[SoakSample],
    start: &[SoakSample],
    (at, end): (f64, f64),
    begin: f64,
    ground: &Ground<'_>,
) -> Epoch {
    let typical = |value: &dyn Fn(&SoakSample) -> Option<f64>| {
        let values: Vec<f64> = inside.iter().filter_map(value).collect();
        median(&values)
    };
    let memory = |value: fn(&Memory) -> u64| typical(&|s| Some(value(&s.reading?.memory?) as f64));
    let reading = |value: fn(&Reading) -> f64| typical(&|s| s.reading.as_ref().map(value));
    let off = ground.rates(inside, plan.epoch);
    let rate = |value: fn(&Reading) -> f64, off: f64| {
        increase(before, inside, value).map(|rate| (rate - off).max(0.0))
    };
    let sum = |value: fn(&SoakSample) -> f64| inside.iter().map(value).sum::<f64>();
    Epoch {
        at,
        seconds: plan.epoch,
        start: inside[0].start,
        warm: at + 1e-6 < begin + plan.warm,
        samples: inside.len() as u32,
        throughput: throughput(plan, inside, start, (at, end)),
        rss: memory(|m| m.rss),
        pss: memory(|m| m.pss),
        anonymous: memory(|m| m.anonymous),
        huge: memory(|m| m.huge),
        swap: memory(|m| m.swap),
        group: typical(&|s| s.group_memory.map(|b| b as f64)),
        cpu: rate(|r| r.cpu, off.cpu),
        minor_faults: rate(|r| r.minor_faults as f64, off.minor_faults),
        major_faults: rate(|r| r.major_faults as f64, off.major_faults),
        waits: rate(|r| r.waits as f64, off.waits),
        switches: rate(|r| r.switches as f64, off.switches),
        transfers: inside
            .iter()
            .any(|s| s.reading.is_some_and(|r| r.transfers.is_some()))
            .then(|| rate(|r| r.transfers.unwrap_or(0) as f64, off.transfers))
            .flatten(),
        threads: reading(|r| f64::from(r.threads)),
        files: reading(|r| r.files as f64),
        tails: tails(inside, start, (at, end)),
        quiet: quiet(inside, &ground.free),
        clock: typical(&|s| Some(s.clock)).unwrap_or(0.0),
        steal: sum(|s| s.steal),
        throttled: sum(|s| s.throttled),
        paused: sum(|s| s.paused),
    }
}

/// Increase of a count a second. What shrinks, as when a child with a count of its own has
/// ended, counts as nothing.
fn increase(
    before: Option<&SoakSample>,
    inside: &[SoakSample],
    value: fn(&Reading) -> f64,
) -> Option<f64> {
    let read = |s: &SoakSample| Some((s.at, value(s.reading.as_ref()?)));
    let mut all = before.into_iter().chain(inside).filter_map(read);
    let first = all.next()?;
    let (mut last, mut grown) = (first, 0.0);
    for one in all {
        grown += (one.1 - last.1).max(0.0);
        last = one;
    }
    (last.0 > first.0).then(|| grown / (last.0 - first.0))
}

fn throughput(
    plan: &SoakPlan,
    inside: &[SoakSample],
    start: &[SoakSample],
    (at, end): (f64, f64),
) -> Option<f64> {
    let points: Vec<&Point> = start.iter().flat_map(|s| &s.points).collect();
    let within: Vec<&Point> = points
        .iter()
        .copied()
        .filter(|p| at < p.at && p.at <= end)
        .collect();
    let earlier = points.iter().rev().find(|p| p.at <= at).copied();
    if within.iter().any(|p| p.rate.is_some()) {
        let rates: Vec<f64> = within.iter().filter_map(|p| p.rate).collect();
        return Some(rates.iter().sum::<f64>() / rates.len() as f64);
    }
    if within.iter().any(|p| p.total.is_some() || p.done.is_some()) {
        let last = within.last()?;
        let (from, operations) = match earlier {
            Some(earlier) => (earlier, within.as_slice()),
            None => (*within.first()?, &within[1..]),
        };
        let done = match last.total.zip(from.total) {
            Some((now, then)) => now - then,
            None => operations.iter().filter_map(|p| p.done).sum(),
        };
        return (last.at > from.at && done >= 0.0).then(|| done / (last.at - from.at));
    }
    let told: Vec<(f64, f64)> = start
        .iter()
        .filter(|s| s.at <= end + plan.every / 2.0)
        .filter_map(|s| Some((s.at, s.progress?)))
        .collect();
    if let Some((now, done)) = told.last() {
        let then = told.iter().rev().find(|t| t.0 <= at).or(told.first())?;
        return (*now > then.0 && *done >= then.1).then(|| (done - then.1) / (now - then.0));
    }
    if plan.mode == karat_model::soak::SoakMode::Repeat {
        let runs: u32 = inside.iter().map(|s| s.runs).sum();
        return Some(f64::from(runs) / plan.epoch);
    }
    None
}

fn tails(inside: &[SoakSample], start: &[SoakSample], (at, end): (f64, f64)) -> Option<Tails> {
    let times: Vec<f64> = inside.iter().flat_map(|s| &s.latencies).copied().collect();
    if !times.is_empty() {
        let t = tail(&times);
        return Some(Tails {
            p50: t.p50,
            p95: t.p95,
            p99: t.p99,
            p999: t.p999,
            max: t.max,
        });
    }
    let points = start.iter().flat_map(|s| &s.points);
    let sums: Vec<_> = points
        .filter(|p| at < p.at && p.at <= end)
        .filter_map(|p| p.latencies)
        .collect();
    if sums.is_empty() {
        return None;
    }
    let all = |value: fn(&karat_model::soak::Latencies) -> Option<f64>| {
        sums.iter().filter_map(value).collect::<Vec<f64>>()
    };
    Some(Tails {
        p50: median(&all(|s| s.p50)),
        p95: median(&all(|s| s.p95)),
        p99: median(&all(|s| s.p99)),
        p999: median(&all(|s| s.p999)),
        max: all(|s| s.max).into_iter().reduce(f64::max),
    })
}

/// Share of looks that saw nobody else.
fn quiet(samples: &[SoakSample], free: &[f64]) -> f64 {
    let looks = || {
        let pairs = |s: &SoakSample| -> Vec<(f64, f64)> {
            s.widths.iter().copied().zip(free.iter().copied()).collect()
        };
        samples.iter().flat_map(pairs)
    };
    let quiet = looks()
        .filter(|(width, free)| *width >= QUIET * free)
        .count();
    quiet as f64 / looks().count().max(1) as f64
}
