//! The samples' file: comments that say where they come from, then one line per run.

use crate::blocks::{ARMS, Series};
use std::collections::BTreeMap;

/// The columns. Times are in seconds; `clock` in GHz, right after the run; `switches` are the
/// involuntary ones.
pub const COLUMNS: &str = "workload,round,position,arm,wall,cpu,clock,switches";

/// One run.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    pub workload: String,
    pub round: u32,
    /// Place in the order of the round.
    pub position: u32,
    /// Index in [`ARMS`].
    pub arm: usize,
    pub wall: f64,
    pub cpu: f64,
    pub clock: f64,
    pub switches: u64,
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
            "{},{},{},{},{:.9},{:.6},{:.4},{}\n",
            self.workload,
            self.round,
            self.position,
            ARMS[self.arm].name,
            self.wall,
            self.cpu,
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
            position: next()?.parse().ok()?,
            arm: next().and_then(|n| ARMS.iter().position(|a| a.name == n))?,
            wall: next()?.parse().ok()?,
            cpu: next()?.parse().ok()?,
            clock: next()?.parse().ok()?,
            switches: next()?.parse().ok()?,
        };
        next().is_none().then_some(sample)
    }
}

/// Reads a file. A round that is not whole, such as the last of an interrupted measurement, is
/// left out.
pub fn read(text: &str) -> Result<Measured, String> {
    let mut heading = Vec::new();
    let mut names: Vec<String> = Vec::new();
    let mut rounds: BTreeMap<(usize, u32), [Option<Sample>; ARMS.len()]> = BTreeMap::new();
    for (i, line) in text.lines().enumerate() {
        if let Some(comment) = line.strip_prefix("# ") {
            heading.push(comment.to_owned());
            continue;
        }
        if line == COLUMNS {
            continue;
        }
        let sample = Sample::parse(line)
            .ok_or_else(|| format!("line {}: not `{COLUMNS}`: `{line}`", i + 1))?;
        let known = names.iter().position(|n| *n == sample.workload);
        let workload = known.unwrap_or_else(|| {
            names.push(sample.workload.clone());
            names.len() - 1
        });
        let round = rounds.entry((workload, sample.round)).or_default();
        if round[sample.arm].is_some() {
            return Err(format!("line {}: a second run of the arm", i + 1));
        }
        let arm = sample.arm;
        round[arm] = Some(sample);
    }
    let mut series: Vec<Series> = names
        .into_iter()
        .map(|workload| Series {
            workload,
            ..Series::default()
        })
        .collect();
    for ((workload, _), round) in rounds {
        if round.iter().any(Option::is_none) {
            continue;
        }
        let series = &mut series[workload];
        for sample in round.into_iter().flatten() {
            series.wall[sample.arm].push(sample.wall);
            series.cpu[sample.arm].push(sample.cpu);
            series.places[sample.arm].push(sample.position);
            series.clock.push(sample.clock);
            series.switches += sample.switches;
        }
    }
    Ok(Measured { heading, series })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(workload: &str, round: u32, arm: usize) -> Sample {
        Sample {
            workload: workload.into(),
            round,
            position: 3 - arm as u32,
            arm,
            wall: 0.02 + f64::from(round) * 1e-9,
            cpu: 0.019,
            clock: 4.25,
            switches: 2,
        }
    }

    #[test]
    fn what_was_written_is_read() {
        let one = sample("w", 3, 1);
        assert_eq!(Sample::parse(one.line().trim()), Some(one));
    }

    #[test]
    fn rounds_that_are_not_whole_are_left_out() {
        let mut text = format!("# machine: m\n{COLUMNS}\n");
        for round in 0..3 {
            for workload in ["x", "y"] {
                for arm in [2, 0, 3, 1] {
                    text += &sample(workload, round, arm).line();
                }
            }
        }
        text += &sample("x", 3, 0).line();
        let read = read(&text).unwrap();
        assert_eq!(read.heading, ["machine: m"]);
        assert_eq!(read.series.len(), 2);
        let x = &read.series[0];
        assert_eq!(x.workload, "x");
        assert_eq!(x.wall[2], [0.02, 0.020_000_001, 0.020_000_002]);
        assert_eq!(x.places[2], [1, 1, 1]);
        assert_eq!((x.clock.len(), x.switches), (12, 24));
    }

    #[test]
    fn a_bad_line_is_named() {
        let twice = sample("x", 0, 0).line().repeat(2);
        for (text, word) in [("w,1,2\n", "line 1"), (twice.as_str(), "line 2: a second")] {
            let error = read(text).map(|_| ()).unwrap_err();
            assert!(error.contains(word), "{error}");
        }
        assert!(read("w,0,0,other,1,1,1,1").is_err());
        assert!(read("w,0,0,base,1,1,1,1,1").is_err());
    }
}
