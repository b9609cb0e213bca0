//! The words counted, as CSV and as a table.

use crate::blocks::{ARMS, EFFECTS, METRICS, Metric, ROUNDS, Series};
use crate::rules::{ALPHA, RULES, Word};
use crate::samples::Measured;
use karat_judge::{median, quantile};
use karat_run::doctor::Rate;
use std::fmt::Write as _;
use std::sync::atomic::{AtomicUsize, Ordering};

/// One rule on one effect: what it said of all comparisons.
pub struct Tally {
    /// Indices in the series, [`METRICS`], [`RULES`] and [`EFFECTS`].
    key: [usize; 4],
    /// A/A: FASTER or SLOWER, both wrong. Otherwise SLOWER, which is right.
    different: Rate,
    /// FASTER, which is wrong where an arm is slower; 0 for the A/A.
    opposite: usize,
    same: Rate,
}

/// Puts every comparison to every rule.
pub fn count(series: &[Series]) -> Vec<Tally> {
    let mut questions = Vec::new();
    for (s, series) in series.iter().enumerate() {
        for m in 0..METRICS.len() {
            for e in 0..EFFECTS.len() {
                questions.extend((0..series.blocks()).map(|block| (s, m, e, block)));
            }
        }
    }
    let words = on_all_cores(&questions, |&(s, m, e, block)| {
        let comparison = series[s].comparison(METRICS[m], &EFFECTS[e], block);
        RULES.each_ref().map(|rule| (rule.word)(&comparison))
    });
    let mut tallies = Vec::new();
    for s in 0..series.len() {
        for m in 0..METRICS.len() {
            for r in 0..RULES.len() {
                for e in 0..EFFECTS.len() {
                    let said = questions.iter().zip(&words);
                    let said = said.filter(|((qs, qm, qe, _), _)| (*qs, *qm, *qe) == (s, m, e));
                    let said: Vec<Word> = said.map(|(_, words)| words[r]).collect();
                    tallies.push(tally([s, m, r, e], &said));
                }
            }
        }
    }
    tallies
}

fn tally(key: [usize; 4], said: &[Word]) -> Tally {
    let count = |word| said.iter().filter(|w| **w == word).count();
    let (faster, slower) = (count(Word::Faster), count(Word::Slower));
    let control = ARMS[EFFECTS[key[3]].arm].percent == 0;
    Tally {
        key,
        different: Rate::new(if control { faster + slower } else { slower }, said.len()),
        opposite: if control { 0 } else { faster },
        same: Rate::new(count(Word::Same), said.len()),
    }
}

/// `items` mapped by `f`, in order, by as many threads as there are processors.
fn on_all_cores<T: Sync, R: Send>(items: &[T], f: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let at = next.fetch_add(1, Ordering::Relaxed)
            && let Some(item) = items.get(at)
        {
            done.push((at, f(item)));
        }
        done
    };
    let mut done: Vec<(usize, R)> = std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let joined = threads
            .into_iter()
            .map(|t| t.join().expect("a rule panicked"));
        joined.flatten().collect()
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

/// A heading that says where the figures come from, then one line per tally.
pub fn csv(measured: &Measured, tallies: &[Tally]) -> String {
    let mut out = String::new();
    for line in &measured.heading {
        let _ = writeln!(out, "# {line}");
    }
    for line in measured.series.iter().flat_map(facts) {
        let _ = writeln!(out, "# {line}");
    }
    let _ = writeln!(
        out,
        "# judge: karat {}; {ROUNDS} rounds a comparison, level {ALPHA} for each rule that has \
         one; intervals: Wilson, 95 %\n\
         workload,metric,rule,effect,realised_percent,comparisons,different,different_percent,\
         low,high,opposite,same,same_percent,same_low,same_high",
        env!("CARGO_PKG_VERSION")
    );
    for t in tallies {
        let [s, m, r, e] = t.key;
        let series = &measured.series[s];
        let realised = series.realised(METRICS[m], &EFFECTS[e]);
        let _ = write!(
            out,
            "{},{},{},{},{},{},{},{},{},",
            series.workload,
            METRICS[m].name(),
            RULES[r].name,
            EFFECTS[e].name,
            realised.map_or(String::new(), |r| format!("{:.3}", 100.0 * r)),
            t.different.of,
            t.different.count,
            percents(&t.different),
            t.opposite,
        );
        let _ = match RULES[r].says_same {
            true => writeln!(out, "{},{}", t.same.count, percents(&t.same)),
            false => writeln!(out, ",,,"),
        };
    }
    out
}

/// Rate and bounds in percent.
fn percents(rate: &Rate) -> String {
    let percent = |share: Option<f64>| share.map_or(String::new(), |s| format!("{:.1}", 100.0 * s));
    [rate.rate, rate.low, rate.high].map(percent).join(",")
}

/// What the machine was like, by workload.
fn facts(series: &Series) -> Option<String> {
    let mut clock = series.clock.clone();
    clock.sort_unstable_by(f64::total_cmp);
    let ms = |m: Metric| median(&series.times(m)[0]).map(|s| 1e3 * s);
    Some(format!(
        "{}: median run {:.2} ms wall, {:.2} ms CPU; clock {:.2} to {:.2} GHz (5 to 95 %); \
         {} involuntary switches in {} runs",
        series.workload,
        ms(Metric::Wall)?,
        ms(Metric::Cpu)?,
        quantile(&clock, 0.05)?,
        quantile(&clock, 0.95)?,
        series.switches,
        clock.len(),
    ))
}

/// For a reader at a terminal.
pub fn table(series: &[Series], tallies: &[Tally]) -> String {
    let mut out = String::new();
    let mut last = None;
    for row in tallies.chunks(EFFECTS.len()) {
        let [s, m, r, _] = row[0].key;
        let series = &series[s];
        if last.replace((s, m)) != Some((s, m)) {
            if m == 0 {
                let _ = writeln!(out, "\n{}", facts(series).unwrap_or_default());
            }
            let _ = writeln!(
                out,
                "\n{}, {} time: % of {} comparisons called different, with 95 % interval",
                series.workload,
                METRICS[m].name(),
                series.blocks()
            );
            let heads = EFFECTS.each_ref().map(|effect| {
                let realised = series.realised(METRICS[m], effect).unwrap_or(f64::NAN);
                format!("{} ({:+.2})", effect.name, 100.0 * realised)
            });
            let [aa, one, two] = heads;
            let _ = writeln!(out, "{:33} {aa:20} {one:20} {two:20} A/A SAME", "rule");
        }
        let _ = write!(out, "{:33}", RULES[r].name);
        for tally in row {
            let wrong = match tally.opposite {
                0 => String::new(),
                n => format!(" -{n}"),
            };
            let _ = write!(out, " {:20}", cell(&tally.different) + &wrong);
        }
        let same = match RULES[r].says_same {
            true => cell(&row[0].same),
            false => String::new(),
        };
        let _ = writeln!(out, " {same}");
    }
    out += "\n-N: N comparisons called the slower arm faster\n";
    out
}

fn cell(rate: &Rate) -> String {
    let percent = |share: Option<f64>| 100.0 * share.unwrap_or(f64::NAN);
    format!(
        "{:.1} [{:.1}, {:.1}]",
        percent(rate.rate),
        percent(rate.low),
        percent(rate.high)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_true_direction_counts_as_found() {
        let said = [
            Word::Faster,
            Word::Slower,
            Word::Slower,
            Word::Same,
            Word::Nothing,
        ];
        let control = tally([0, 0, 0, 0], &said);
        assert_eq!((control.different.count, control.opposite), (3, 0));
        assert_eq!((control.same.count, control.same.of), (1, 5));
        let injected = tally([0, 0, 0, 1], &said);
        assert_eq!((injected.different.count, injected.opposite), (2, 1));
    }

    #[test]
    fn every_line_has_all_columns() {
        let rounds = 2 * ROUNDS;
        let mut rng = karat_judge::Rng::new(1);
        let mut series = Series {
            workload: "w".into(),
            ..Series::default()
        };
        for round in 0..rounds {
            let mut order: [u32; ARMS.len()] = [0, 1, 2, 3];
            rng.shuffle(&mut order);
            for (arm, place) in order.into_iter().enumerate() {
                let level = 1.0 + ARMS[arm].percent as f64 / 100.0;
                let time = 0.02 * level * (1.0 + rng.below(100) as f64 * 1e-5);
                series.wall[arm].push(time);
                series.cpu[arm].push(time);
                series.places[arm].push(place);
                series.clock.push(4.0 + round as f64 * 1e-3);
            }
        }
        let measured = Measured {
            heading: vec!["machine: m".into()],
            series: vec![series],
        };
        let tallies = count(&measured.series);
        let csv = csv(&measured, &tallies);
        let lines: Vec<&str> = csv.lines().filter(|l| !l.starts_with('#')).collect();
        assert_eq!(lines.len(), 1 + METRICS.len() * RULES.len() * EFFECTS.len());
        for line in &lines {
            let columns = line.split(',').count();
            assert_eq!(columns, lines[0].split(',').count(), "{line}");
        }
        let of = |rule: &str, effect: &str| {
            let start = format!("w,cpu,{rule},{effect},");
            let line = lines.iter().find(|l| l.starts_with(&start)).unwrap();
            line[start.len()..].to_owned()
        };
        let same = of("karat (margin 1 %)", "A/A");
        assert!(
            same.ends_with(",2,0,0.0,0.0,65.8,0,2,100.0,34.2,100.0"),
            "{same}"
        );
        let found = of("benchstat: p <= .05", "+2 %");
        assert!(found.ends_with(",2,2,100.0,34.2,100.0,0,,,,"), "{found}");
        let table = table(&measured.series, &tallies);
        assert_eq!(table.matches("benchstat").count(), METRICS.len());
    }
}
