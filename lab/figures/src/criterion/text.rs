//! The text that `cargo bench` prints.

use super::NAME;
use crate::collect::Collector;
use crate::error::ReadError;
use crate::text::lines;
use crate::value::parse;

/// A line's benchmark (empty: it is on the line before) and its estimates:
/// value and unit, three times.
pub fn estimate(line: &str) -> Option<(&str, [&str; 6])> {
    let (name, rest) = line.split_once("time:")?;
    let inside = rest.trim_start().strip_prefix('[')?;
    let (inside, _) = inside.split_once(']')?;
    let mut fields = inside.split_whitespace();
    let mut six = [""; 6];
    for field in &mut six {
        // Changes against an earlier run are three percentages.
        *field = fields.next()?;
    }
    // Other programs print brackets too.
    let numbers = [six[0], six[2], six[4]];
    let sound = fields.next().is_none() && numbers.iter().all(|n| n.parse::<f64>().is_ok());
    sound.then_some((name.trim(), six))
}

/// Adds the middle estimate of every benchmark.
pub fn read(text: &[u8], collector: &mut Collector) -> Result<(), ReadError> {
    let mut before = String::new();
    for (number, line) in lines(text) {
        if let Some((name, [_, _, middle, unit, _, _])) = estimate(&line) {
            let name = match name {
                "" => before.as_str(),
                name => name,
            };
            if name.is_empty() {
                let problem = "no name stands before `time:` nor on the line above";
                return Err(ReadError::line(NAME, number, problem));
            }
            let value = parse(middle)
                .map_err(|what| ReadError::line(NAME, number, format!("`{name}`: {what}")))?;
            collector.add_time(name, "time", unit, value)?;
            before.clear();
        } else {
            before.clear();
            before.push_str(line.trim());
        }
    }
    Ok(())
}
