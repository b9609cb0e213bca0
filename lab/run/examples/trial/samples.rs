//! The samples' file: comments that say where they come from, then one line per run, and one per
//! pair of Duet.

use crate::series::{ARMS, Duet, Series};
use std::collections::BTreeMap;

/// The columns of a run. Times are in seconds; `before` and `after` are additions a cycle; `took`
/// is all from the beginning of the wait to the probe after the run; `clock` is in GHz, right
/// after the run; `switches` are the involuntary ones.
pub const COLUMNS: &str =
    "workload,round,attempt,position,arm,wall,cpu,before,after,quiet,waited,took,clock,switches";

/// The columns of a pair of Duet. `swap` is 1 when the baseline is on the second processor.
pub const PAIR_COLUMNS: &str = "duet,workload,round,arm,swap,took,wall,cpu,base_wall,base_cpu";

/// One run.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    pub workload: String,
    pub round: u32,
    /// 0, or how often it was made again.
    pub attempt: u32,
    /// Place in the order of the round, through all attempts.
    pub position: u32,
    /// Index in [`ARMS`].
    pub arm: usize,
    pub wall: f64,
    pub cpu: f64,
    /// Width of the core before and after.
    pub width: [f64; 2],
    pub quiet: bool,
    pub waited: f64,
    pub took: f64,
    pub clock: f64,
    pub switches: u64,
}

/// Two runs at the same moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Pair {
    pub workload: String,
    pub round: u32,
    pub arm: usize,
    pub swap: usize,
    pub took: f64,
    /// Wall and CPU time of the arm and of the baseline.
    pub times: [f64; 2],
    pub base: [f64; 2],
}

/// A file that was read.
pub struct Measured {
    /// The comments, without the mark.
    pub heading: Vec<String>,
    /// By workload, in the order of the file.
    pub series: Vec<Series>,
}

impl Sample {
    pub fn line(&self) -> String {
        format!(
            "{},{},{},{},{},{:.9},{:.6},{:.4},{:.4},{},{:.6},{:.6},{:.4},{}\n",
            self.workload,
            self.round,
            self.attempt,
            self.position,
            ARMS[self.arm].name,
            self.wall,
            self.cpu,
            self.width[0],
            self.width[1],
            u8::from(self.quiet),
            self.waited,
            self.took,
            self.clock,
            self.switches
        )
    }

    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split(',');
        let mut next = || fields.next();
        let sample = Self {
            workload: next()?.to_owned(),
            round: next()?.parse().ok()?,
            attempt: next()?.parse().ok()?,
            position: next()?.parse().ok()?,
            arm: next().and_then(arm)?,
            wall: next()?.parse().ok()?,
            cpu: next()?.parse().ok()?,
            width: [next()?.parse().ok()?, next()?.parse().ok()?],
            quiet: flag(next()?)?,
            waited: next()?.parse().ok()?,
            took: next()?.parse().ok()?,
            clock: next()?.parse().ok()?,
            switches: next()?.parse().ok()?,
        };
        next().is_none().then_some(sample)
    }
}

impl Pair {
    pub fn line(&self) -> String {
        format!(
            "duet,{},{},{},{},{:.6},{:.9},{:.6},{:.9},{:.6}\n",
            self.workload,
            self.round,
            ARMS[self.arm].name,
            self.swap,
            self.took,
            self.times[0],
            self.times[1],
            self.base[0],
            self.base[1]
        )
    }

    fn parse(line: &str) -> Option<Self> {
        let mut fields = line.split(',').skip(1);
        let mut next = || fields.next();
        let pair = Self {
            workload: next()?.to_owned(),
            round: next()?.parse().ok()?,
            arm: next().and_then(arm)?,
            swap: usize::from(flag(next()?)?),
            took: next()?.parse().ok()?,
            times: [next()?.parse().ok()?, next()?.parse().ok()?],
            base: [next()?.parse().ok()?, next()?.parse().ok()?],
        };
        next().is_none().then_some(pair)
    }
}

fn arm(name: &str) -> Option<usize> {
    ARMS.iter().position(|a| a.name == name)
}

fn flag(text: &str) -> Option<bool> {
    match text {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

/// Reads a file. A round that is not whole, such as the last of an interrupted measurement, is
/// left out.
pub fn read(text: &str) -> Result<Measured, String> {
    let mut heading = Vec::new();
    let mut found: Vec<Found> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        if let Some(comment) = line.strip_prefix("# ") {
            heading.push(comment.to_owned());
            continue;
        }
        if line == COLUMNS || line == PAIR_COLUMNS {
            continue;
        }
        let bad = |columns: &str| format!("line {}: not `{columns}`: `{line}`", i + 1);
        if line.starts_with("duet,") {
            let pair = Pair::parse(line).ok_or_else(|| bad(PAIR_COLUMNS))?;
            let pairs = &mut of(&mut found, &pair.workload).pairs;
            pairs.entry((pair.arm, pair.round)).or_default().push(pair);
        } else {
            let sample = Sample::parse(line).ok_or_else(|| bad(COLUMNS))?;
            let rounds = &mut of(&mut found, &sample.workload).rounds;
            let attempts = &mut rounds.entry(sample.round).or_default()[sample.arm];
            if attempts.iter().any(|s| s.attempt >= sample.attempt) {
                return Err(format!("line {}: an attempt that was before", i + 1));
            }
            attempts.push(sample);
        }
    }
    let series = found.into_iter().map(Found::series).collect();
    Ok(Measured { heading, series })
}

/// The lines of one workload.
#[derive(Default)]
struct Found {
    workload: String,
    /// By round and arm: all attempts.
    rounds: BTreeMap<u32, [Vec<Sample>; ARMS.len()]>,
    /// By arm and round: both swaps.
    pairs: BTreeMap<(usize, u32), Vec<Pair>>,
}

fn of<'f>(found: &'f mut Vec<Found>, workload: &str) -> &'f mut Found {
    let at = found.iter().position(|f| f.workload == workload);
    let at = at.unwrap_or_else(|| {
        found.push(Found {
            workload: workload.to_owned(),
            ..Found::default()
        });
        found.len() - 1
    });
    &mut found[at]
}

impl Found {
    fn series(self) -> Series {
        let mut series = Series {
            workload: self.workload,
            ..Series::default()
        };
        for round in self.rounds.into_values() {
            if round.iter().any(Vec::is_empty) {
                continue;
            }
            for attempts in &round {
                for sample in attempts {
                    series.clock.push(sample.clock);
                    series.switches += sample.switches;
                    series.waited += sample.waited;
                }
                series.repeated += attempts.len() - 1;
                // Whichever was made last counts, whatever it cost.
                let Some(last) = attempts.last() else {
                    continue;
                };
                let column = &mut series.columns[last.arm];
                column.wall.push(last.wall);
                column.cpu.push(last.cpu);
                column.places.push(last.position);
                column.quiet.push(last.quiet);
                column.took.push(attempts.iter().map(|s| s.took).sum());
            }
        }
        for ((arm, _), pairs) in self.pairs {
            let [one, other] = &pairs[..] else { continue };
            if one.swap == other.swap {
                continue;
            }
            let log = |p: &Pair, m: usize| (p.times[m] / p.base[m]).ln();
            let logs = std::array::from_fn(|m| f64::midpoint(log(one, m), log(other, m)));
            let took = one.took + other.took;
            series.duets[arm].push(Duet { logs, took });
        }
        series
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(workload: &str, round: u32, arm: usize) -> Sample {
        Sample {
            workload: workload.into(),
            round,
            attempt: 0,
            position: 3 - arm as u32,
            arm,
            wall: 0.02 + f64::from(round) * 1e-9,
            cpu: 0.019,
            width: [4.5, 4.25],
            quiet: true,
            waited: 0.001,
            took: 0.0225,
            clock: 4.25,
            switches: 2,
        }
    }

    fn pair(round: u32, swap: usize, factor: f64) -> Pair {
        Pair {
            workload: "x".into(),
            round,
            arm: 2,
            swap,
            took: 0.03,
            times: [0.02 * factor, 0.02],
            base: [0.02, 0.02],
        }
    }

    #[test]
    fn what_was_written_is_read() {
        let one = sample("w", 3, 1);
        assert_eq!(Sample::parse(one.line().trim()), Some(one));
        let one = pair(3, 1, 1.25);
        assert_eq!(Pair::parse(one.line().trim()), Some(one));
        assert_eq!(
            COLUMNS.split(',').count(),
            sample("w", 0, 0).line().split(',').count()
        );
        assert_eq!(
            PAIR_COLUMNS.split(',').count(),
            pair(0, 0, 1.0).line().split(',').count()
        );
    }

    #[test]
    fn rounds_that_are_not_whole_are_left_out() {
        let mut text = format!("# machine: m\n{COLUMNS}\n{PAIR_COLUMNS}\n");
        for round in 0..3 {
            for workload in ["x", "y"] {
                for arm in [2, 0, 3, 1] {
                    text += &sample(workload, round, arm).line();
                }
            }
        }
        text += &sample("x", 3, 0).line();
        text += &pair(0, 1, 1.2).line();
        text += &pair(0, 0, 1.0).line();
        text += &pair(1, 0, 1.0).line();
        let read = read(&text).unwrap();
        assert_eq!(read.heading, ["machine: m"]);
        assert_eq!(read.series.len(), 2);
        let x = &read.series[0];
        assert_eq!((x.workload.as_str(), x.rounds()), ("x", 3));
        assert_eq!(x.columns[2].wall, [0.02, 0.020_000_001, 0.020_000_002]);
        assert_eq!(x.columns[2].places, [1, 1, 1]);
        assert_eq!((x.clock.len(), x.switches, x.repeated), (12, 24, 0));
        let [duet] = x.duets[2][..] else {
            panic!("{:?}", x.duets)
        };
        // The geometric mean of 1.2 and 1.
        assert!((duet.logs[0] - 1.2_f64.ln() / 2.0).abs() < 1e-9);
        assert_eq!((duet.logs[1], duet.took), (0.0, 0.06));
    }

    #[test]
    fn the_last_attempt_counts_and_all_of_them_take_time() {
        let mut text = String::new();
        for arm in 0..ARMS.len() {
            let quiet = arm != 1;
            text += &Sample {
                quiet,
                ..sample("x", 0, arm)
            }
            .line();
        }
        text += &Sample {
            attempt: 1,
            position: 4,
            wall: 0.05,
            ..sample("x", 0, 1)
        }
        .line();
        let x = &read(&text).unwrap().series[0];
        let again = &x.columns[1];
        assert_eq!(
            (again.wall[0], again.places[0], again.quiet[0]),
            (0.05, 4, true)
        );
        assert_eq!((again.took[0], x.columns[0].took[0]), (0.045, 0.0225));
        assert_eq!((x.rounds(), x.repeated, x.clock.len()), (1, 1, 5));
    }

    #[test]
    fn a_bad_line_is_named() {
        let twice = sample("x", 0, 0).line().repeat(2);
        for (text, word) in [
            ("w,1,2\n", "line 1"),
            (twice.as_str(), "line 2: an attempt"),
            ("duet,w,1,base\n", "line 1: not `duet"),
        ] {
            let error = read(text).map(|_| ()).unwrap_err();
            assert!(error.contains(word), "{error}");
        }
        let line = sample("x", 0, 0).line();
        assert!(read(&line.replace("base", "other")).is_err());
        assert!(read(&format!("{},1", line.trim())).is_err());
    }
}
