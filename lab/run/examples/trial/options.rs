//! The command line.

use crate::measure::WORKLOADS;
use std::path::PathBuf;

pub const USAGE: &str = "\
usage: trial --subject PROGRAM --samples FILE [--minutes M] [--workload NAME] [--seed N]
             [--summary FILE]
       trial --from FILE [--summary FILE]

  --subject PROGRAM  the built program of studies/judge-trial/subject
  --samples FILE     where to write every sample; must not exist
  --minutes M        of measuring, shared evenly by the workloads (default 12)
  --workload NAME    only this one: branchy, straight or wide
  --seed N           of the orders (default: the time)
  --from FILE        judges samples measured before
  --summary FILE     where to write the counts as CSV";

/// What to do.
#[derive(Debug, PartialEq)]
pub enum Options {
    /// Measure, judge, and write the summary, if any.
    Measure(Request, Option<PathBuf>),
    /// Judge the samples in the first file.
    From(PathBuf, Option<PathBuf>),
}

/// What to measure.
#[derive(Debug, PartialEq)]
pub struct Request {
    pub subject: PathBuf,
    pub samples: PathBuf,
    /// Of measuring.
    pub seconds: f64,
    pub workloads: Vec<&'static str>,
    pub seed: u64,
}

impl Options {
    pub fn parse(args: &[String]) -> Result<Self, Box<dyn std::error::Error>> {
        let (mut subject, mut samples, mut from, mut summary) = (None, None, None, None);
        let (mut minutes, mut workload, mut seed) = (None, None, None);
        let mut args = args.iter();
        while let Some(name) = args.next() {
            let value = args.next();
            let value = value.ok_or_else(|| format!("`{name}` needs a value\n{USAGE}"))?;
            let number = || value.parse::<u64>().map_err(|e| format!("{name}: {e}"));
            match name.as_str() {
                "--subject" => subject = Some(PathBuf::from(value)),
                "--samples" => samples = Some(PathBuf::from(value)),
                "--from" => from = Some(PathBuf::from(value)),
                "--summary" => summary = Some(PathBuf::from(value)),
                "--minutes" => minutes = Some(positive(value)?),
                "--workload" => {
                    let known = WORKLOADS.iter().find(|w| *w == value);
                    let all = WORKLOADS.join(", ");
                    let unknown = || format!("--workload: `{value}` is none of {all}");
                    workload = Some(*known.ok_or_else(unknown)?);
                }
                "--seed" => seed = Some(number()?),
                _ => return Err(format!("unknown option `{name}`\n{USAGE}").into()),
            }
        }
        match (from, subject, samples) {
            (Some(from), None, None)
                if minutes.is_none() && workload.is_none() && seed.is_none() =>
            {
                Ok(Self::From(from, summary))
            }
            (None, Some(subject), Some(samples)) => {
                let request = Request {
                    subject,
                    samples,
                    seconds: 60.0 * minutes.unwrap_or(12.0),
                    workloads: workload.map_or(WORKLOADS.to_vec(), |w| vec![w]),
                    seed: seed.unwrap_or_else(now),
                };
                Ok(Self::Measure(request, summary))
            }
            _ => Err(USAGE.into()),
        }
    }
}

/// Minutes.
fn positive(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(minutes) if minutes > 0.0 && minutes < 1e4 => Ok(minutes),
        _ => Err(format!("--minutes: `{text}` is no number above 0")),
    }
}

/// Nanoseconds since 1970.
fn now() -> u64 {
    let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
    since.as_nanos() as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Options, String> {
        let args: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Options::parse(&args).map_err(|e| e.to_string())
    }

    #[test]
    fn measuring_and_judging_again_are_told_apart() {
        let request = Request {
            subject: "p".into(),
            samples: "s.csv".into(),
            seconds: 90.0,
            workloads: vec!["wide"],
            seed: 7,
        };
        let measure = parse("--subject p --samples s.csv --minutes 1.5 --workload wide --seed 7");
        assert_eq!(measure, Ok(Options::Measure(request, None)));
        let from = Options::From("s.csv".into(), Some("o.csv".into()));
        assert_eq!(parse("--from s.csv --summary o.csv"), Ok(from));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (line, word) in [
            ("", "usage"),
            ("--subject p", "usage"),
            ("--from s --seed 1", "usage"),
            ("--from", "`--from` needs a value"),
            ("--minutes x", "--minutes"),
            ("--minutes -1", "--minutes"),
            ("--workload narrow", "branchy, straight, wide"),
            ("--other 1", "`--other`"),
        ] {
            let error = parse(line).unwrap_err();
            assert!(error.contains(word), "{line}: {error}");
        }
    }
}
