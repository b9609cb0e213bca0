//! The counts as CSV and as a table.

use crate::rules::ALPHA;
use crate::samples::Measured;
use crate::series::{METRICS, Metric, QUESTIONS, Series};
use crate::summary::{KARAT, Tally};
use karat_judge::{median, quantile};
use karat_run::doctor::Rate;
use std::fmt::Write as _;

/// The columns, explained in studies/judge-trial/README.md.
const COLUMNS: &str = "workload,metric,rule,effect,margin_percent,realised_percent,comparisons,\
                       different,different_percent,low,high,opposite,\
                       same,same_percent,same_low,same_high,\
                       undecided,undecided_percent,undecided_low,undecided_high,\
                       median_rounds,median_seconds,p90_seconds";

/// A heading that says where the figures come from, then one line per tally.
pub fn csv(measured: &Measured, tallies: &[Tally]) -> String {
    let mut out = String::new();
    for line in &measured.heading {
        let _ = writeln!(out, "# {line}");
    }
    for line in measured.series.iter().flat_map(facts) {
        let _ = writeln!(out, "# {line}");
    }
    let [wall, cpu] = METRICS.map(Metric::limit);
    let _ = writeln!(
        out,
        "# judge: karat {}; comparisons end when karat decides, or after {cpu} s (CPU time) and \
         {wall} s (wall time) of measuring three arms; level {ALPHA} for each rule that has one; \
         intervals: Wilson, 95 %\n{COLUMNS}",
        env!("CARGO_PKG_VERSION")
    );
    for t in tallies {
        out += &row(t, &measured.series[t.key[0]]);
    }
    out
}

fn row(t: &Tally, series: &Series) -> String {
    let [_, m, q] = t.key;
    let (metric, question) = (METRICS[m], &QUESTIONS[q]);
    let percent = t
        .realised
        .map_or(String::new(), |r| format!("{:.3}", 100.0 * r));
    let seconds = t.seconds();
    let [middle, most] = [0.5, 0.9].map(|share| or_empty(quantile(&seconds, share), 2));
    let claims = |rate: Rate| match t.rule {
        KARAT => format!("{},{}", rate.count, percents(&rate)),
        _ => ",,,".into(),
    };
    format!(
        "{},{},{},{},{},{percent},{},{},{},{},{},{},{},{middle},{most}\n",
        series.workload,
        metric.name(),
        t.rule,
        question.effect,
        100.0 * question.margin,
        t.said.len(),
        t.different().count,
        percents(&t.different()),
        t.opposite(),
        claims(t.same()),
        claims(t.undecided()),
        or_empty(t.rounds(), 0),
    )
}

fn or_empty(number: Option<f64>, digits: usize) -> String {
    number.map_or(String::new(), |n| format!("{n:.digits$}"))
}

/// Rate and bounds in percent.
fn percents(rate: &Rate) -> String {
    let percent = |share: Option<f64>| or_empty(share.map(|s| 100.0 * s), 1);
    [rate.rate, rate.low, rate.high].map(percent).join(",")
}

/// What the machine was like, by workload.
fn facts(series: &Series) -> Option<String> {
    let mut clock = series.clock.clone();
    clock.sort_unstable_by(f64::total_cmp);
    let ms = |m: Metric| median(series.columns[0].costs(m)).map(|s| 1e3 * s);
    let kept = series.columns.iter().flat_map(|c| &c.quiet);
    let quiet = kept.clone().filter(|q| **q).count() as f64 / kept.count() as f64;
    Some(format!(
        "{}: median run {:.2} ms wall, {:.2} ms CPU; clock {:.2} to {:.2} GHz (5 to 95 %); \
         {} involuntary switches in {} runs; {} rounds, {} runs made again, {:.1} % of those kept \
         quiet, {:.1} s waited; Duet: {} rounds",
        series.workload,
        ms(Metric::Wall)?,
        ms(Metric::Cpu)?,
        quantile(&clock, 0.05)?,
        quantile(&clock, 0.95)?,
        series.switches,
        clock.len(),
        series.rounds(),
        series.repeated,
        100.0 * quiet,
        series.waited,
        series.duets[1].len(),
    ))
}

/// For a reader at a terminal.
pub fn table(series: &[Series], tallies: &[Tally]) -> String {
    let mut out = String::new();
    for (s, series) in series.iter().enumerate() {
        let _ = writeln!(out, "\n{}", facts(series).unwrap_or_default());
        for (m, metric) in METRICS.into_iter().enumerate() {
            let _ = writeln!(
                out,
                "\n{}, {} time: % of comparisons called different, with 95 % interval",
                series.workload,
                metric.name(),
            );
            let of = |q: usize| tallies.iter().filter(move |t| t.key == [s, m, q]);
            let heads = QUESTIONS.each_ref().map(|question| {
                let realised = series.realised(metric, question.arm).unwrap_or(f64::NAN);
                let margin = 100.0 * question.margin;
                format!(
                    "{} ({:+.2}) at {margin} %",
                    question.effect,
                    100.0 * realised
                )
            });
            line(&mut out, "rule", heads);
            for (r, first) in of(0).enumerate() {
                let Some(tallies) = row_of(&of, r) else {
                    continue;
                };
                line(&mut out, first.rule, tallies.map(different));
                if first.rule == KARAT {
                    line(&mut out, "  same", tallies.map(|t| cell(&t.same())));
                    line(
                        &mut out,
                        "  undecided",
                        tallies.map(|t| cell(&t.undecided())),
                    );
                    line(&mut out, "  seconds: median, 90 %", tallies.map(seconds));
                    line(
                        &mut out,
                        "  comparisons",
                        tallies.map(|t| t.said.len().to_string()),
                    );
                }
            }
        }
    }
    out += "\n-N: N comparisons called the slower arm faster\n";
    out
}

/// The r-th rule's tally of each question.
fn row_of<'t, I: Iterator<Item = &'t Tally>>(
    of: &impl Fn(usize) -> I,
    r: usize,
) -> Option<[&'t Tally; QUESTIONS.len()]> {
    let found: Option<Vec<&Tally>> = (0..QUESTIONS.len()).map(|q| of(q).nth(r)).collect();
    found?.try_into().ok()
}

fn line(out: &mut String, name: &str, cells: [String; QUESTIONS.len()]) {
    let _ = write!(out, "{name:33}");
    for cell in cells {
        let _ = write!(out, " {cell:22}");
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
}

fn different(tally: &Tally) -> String {
    let wrong = match tally.opposite() {
        0 => String::new(),
        n => format!(" -{n}"),
    };
    cell(&tally.different()) + &wrong
}

fn seconds(tally: &Tally) -> String {
    let seconds = tally.seconds();
    match [0.5, 0.9].map(|share| quantile(&seconds, share)) {
        [Some(middle), Some(most)] => format!("{middle:.1}, {most:.1}"),
        _ => "-".into(),
    }
}

/// `-` of no comparisons.
fn cell(rate: &Rate) -> String {
    match [rate.rate, rate.low, rate.high].map(|share| share.map(|s| 100.0 * s)) {
        [Some(rate), Some(low), Some(high)] => format!("{rate:.1} [{low:.1}, {high:.1}]"),
        _ => "-".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::RULES;
    use crate::series::synthetic;
    use crate::summary::{DUET, count};

    #[test]
    fn every_line_has_all_columns() {
        let measured = Measured {
            heading: vec!["machine: m".into()],
            series: vec![synthetic::series(32, 0.002, 1)],
        };
        let tallies = count(&measured.series);
        let csv = csv(&measured, &tallies);
        let lines: Vec<&str> = csv.lines().filter(|l| !l.starts_with('#')).collect();
        let rules = RULES.len() + 2;
        assert_eq!(lines.len(), 1 + METRICS.len() * rules * QUESTIONS.len());
        for line in &lines {
            let columns = line.split(',').count();
            assert_eq!(columns, lines[0].split(',').count(), "{line}");
        }
        let of = |rule: &str, effect: &str| {
            let start = format!("w,cpu,{rule},{effect},1,");
            let line = lines.iter().find(|l| l.starts_with(&start)).unwrap();
            let (_, counts) = line[start.len()..].split_once(',').unwrap();
            counts.to_owned()
        };
        let same = "2,0,0.0,0.0,65.8,0,2,100.0,34.2,100.0,0,0.0,0.0,65.8,16,1.01,1.01";
        assert_eq!(of(KARAT, "A/A"), same);
        let found = "2,2,100.0,34.2,100.0,0,,,,,,,,,18,,";
        assert_eq!(of("benchstat: p <= .05", "+2 %"), found);
        assert_eq!(
            of(DUET, "+2 %"),
            "1,1,100.0,20.7,100.0,0,,,,,,,,,24,1.01,1.01"
        );
        let table = table(&measured.series, &tallies);
        assert_eq!(table.matches("benchstat").count(), METRICS.len());
    }
}
