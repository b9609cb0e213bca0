//! Figures as tables: worst and best, sections, then all.

use super::spread;
use super::tables::{table, whole};
use crate::document::{Block, Detail, Value};
use crate::number;
use crate::wording::{self, Tone, judgement_tone};
use karat_model::compare::{FigureRow, LogComparison, SectionRow};
use karat_model::verdict::Judgement;

/// Figures in the tables of worst and best.
const EXTREMES: usize = 5;

/// Figures up to which those of all sections are printed on a terminal.
const FEW: usize = 40;

/// The reason that most figures share when nothing was repeated; the part says it
/// once.
const SINGLE: &str = "one run a side";

/// The part about performance.
pub fn performance(found: &LogComparison, detail: Detail) -> Vec<Block> {
    if found.figures.is_empty() {
        return vec![Block::text("The logs hold no figure of performance.")];
    }
    let mut out = vec![Block::text(how(found))];
    out.extend(spread::told(found).map(Block::text));
    let head = [
        "figure", "before", "after", "change", "speed", "interval", "word",
    ];
    let mut ranked: Vec<&FigureRow> = found.figures.iter().filter(|f| f.speed.is_some()).collect();
    ranked.sort_by(|a, b| ratio(a).total_cmp(&ratio(b)));
    if ranked.len() > 2 * EXTREMES {
        let worst = ranked[..EXTREMES].iter();
        let best = ranked[ranked.len() - EXTREMES..].iter().rev();
        let rows = worst.chain(best).map(|f| row(found, f, true)).collect();
        let caption = "Worst five and best five by speed";
        out.push(Block::Table(table(caption, &head, rows)));
    }
    if found.sections.len() > 1 {
        out.push(roll_up(found));
    }
    for section in &found.sections {
        let rows = figures(found, section)
            .map(|f| row(found, f, false))
            .collect();
        let table = table(title(section), &head, rows);
        match detail == Detail::Brief && found.figures.len() <= FEW {
            true => out.push(Block::Table(table)),
            false => out.extend(whole(table, detail)),
        }
    }
    out
}

fn how(found: &LogComparison) -> String {
    let judged = found.figures.iter().filter(|f| f.judged.is_some()).count();
    let mut text = match judged {
        0 => "No figure is judged: there is one run a side, or none, so there is no variance, and \
              neither noise nor a win can be told. The changes are listed as they are. "
            .to_owned(),
        n => format!(
            "{n} of {} judged, with intervals that hold for all of them together. ",
            wording::plural(found.figures.len(), "figure")
        ),
    };
    text += "Change is that of the figure as printed. Speed is turned so that + is faster for times \
             and rates alike.";
    if let Some(statistics) = spread::statistics(found) {
        text += " ";
        text += &statistics;
    }
    text
}

/// The heading of a section.
fn title(section: &SectionRow) -> &str {
    match section.name.as_str() {
        "" => "Without a section",
        name => name,
    }
}

fn figures<'a>(
    found: &'a LogComparison,
    section: &'a SectionRow,
) -> impl Iterator<Item = &'a FigureRow> {
    let indices = section.figures.iter();
    indices.filter_map(|index| found.figures.get(*index as usize))
}

fn ratio(figure: &FigureRow) -> f64 {
    match &figure.judged {
        Some(judged) => judged.speed.estimate,
        None => figure.speed.unwrap_or(1.0),
    }
}

fn roll_up(found: &LogComparison) -> Block {
    let mut sections: Vec<&SectionRow> = found.sections.iter().collect();
    let order = |s: &SectionRow| s.mean_speed.unwrap_or(f64::INFINITY);
    sections.sort_by(|a, b| order(a).total_cmp(&order(b)));
    let extreme = |index: Option<u32>| {
        let figure = index.and_then(|i| found.figures.get(i as usize));
        figure.map_or_else(String::new, |f| {
            format!("{} {}", number::change(ratio(f)), f.title())
        })
    };
    let rows = sections
        .iter()
        .map(|s| {
            vec![
                Value::plain(title(s)),
                Value::Number(s.figures.len().to_string()),
                Value::Number(s.mean_speed.map_or(number::MISSING.into(), number::change)),
                Value::plain(extreme(s.worst)),
                Value::plain(extreme(s.best)),
                Value::plain(words(found, s)),
            ]
        })
        .collect();
    let head = [
        "section",
        "figures",
        "mean speed",
        "worst",
        "best",
        "judged",
    ];
    let caption = "By section, geometric mean of speed, slowest first";
    Block::Table(table(caption, &head, rows))
}

/// `2 FASTER, 1 SAME`; what a section's figures were judged.
fn words(found: &LogComparison, section: &SectionRow) -> String {
    let count = |word: Judgement| {
        figures(found, section)
            .filter(|f| f.judged.as_ref().is_some_and(|j| j.judgement == word))
            .count()
    };
    let mut out = Vec::new();
    for word in [
        Judgement::Slower,
        Judgement::Faster,
        Judgement::Inconclusive,
        Judgement::Same,
    ] {
        match count(word) {
            0 => {}
            n => out.push(format!("{n} {}", word.word())),
        }
    }
    match out.is_empty() {
        true => "unjudged".to_owned(),
        false => out.join(", "),
    }
}

fn row(found: &LogComparison, figure: &FigureRow, with_section: bool) -> Vec<Value> {
    let mut name = match (with_section, figure.section.as_str()) {
        (true, section) if !section.is_empty() => format!("{section}: {}", figure.title()),
        _ => figure.title(),
    };
    if let Some(statistic) = figure.statistic
        && has_others(found, figure)
    {
        name = format!("{name}, {}", statistic.word());
    }
    let value = |v: Option<f64>| v.map_or(number::MISSING.into(), |v| with_unit(v, &figure.unit));
    let change = match (figure.before_value, figure.after_value) {
        (Some(before), Some(after)) if before > 0.0 => number::change(after / before),
        _ => number::MISSING.to_owned(),
    };
    let mut cells = vec![
        Value::plain(name),
        Value::Number(value(figure.before_value)),
        Value::Number(value(figure.after_value)),
        Value::Number(change),
    ];
    match &figure.judged {
        Some(judged) => {
            let tint = judgement_tone(judged.judgement);
            cells.extend([
                Value::Toned(tint, number::change(judged.speed.estimate)),
                Value::Toned(tint, wording::interval(&judged.speed)),
                Value::Toned(tint, judged.judgement.word().into()),
            ]);
        }
        None => {
            let speed = figure.speed.map_or(number::MISSING.into(), number::change);
            cells.extend([
                Value::Number(speed),
                Value::plain(number::MISSING),
                Value::Toned(Tone::Open, unjudged(figure)),
            ]);
        }
    }
    cells
}

/// Whether another statistic of the same is a row, too.
fn has_others(found: &LogComparison, figure: &FigureRow) -> bool {
    found.figures.iter().any(|other| {
        other.statistic != figure.statistic
            && other.name == figure.name
            && other.section == figure.section
            && other.parameters == figure.parameters
    })
}

/// Why a figure has no word.
pub fn unjudged(figure: &FigureRow) -> String {
    match figure.unjudged.as_str() {
        SINGLE | "" => "unjudged".to_owned(),
        why => format!("unjudged: {why}"),
    }
}

/// A figure as logs print it: what it says when short, else five significant digits.
fn with_unit(value: f64, unit: &str) -> String {
    let exact = value.to_string();
    let text = if exact.len() <= 6 || (exact.len() == 7 && exact.contains('.')) {
        exact
    } else if value.abs() >= 1e6 {
        let (digits, power) = (value.abs().log10().floor(), 4);
        let rounded = value / 10f64.powf(digits);
        format!(
            "{}e{digits}",
            (rounded * 10f64.powi(power)).round() / 10f64.powi(power)
        )
    } else {
        let digits = value.abs().log10().floor().max(-12.0) as i32;
        format!("{value:.*}", (4 - digits).clamp(0, 15) as usize)
    };
    format!("{text} {unit}").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::with_unit;

    #[test]
    fn figures_keep_the_digits_that_logs_print() {
        assert_eq!(with_unit(38.91, "Gbps"), "38.91 Gbps");
        assert_eq!(with_unit(767.879, "ns"), "767.879 ns");
        assert_eq!(with_unit(297_000.0, ""), "297000");
        assert_eq!(with_unit(5_280_000.0, "x/s"), "5.28e6 x/s");
        assert_eq!(with_unit(52_800_000.0, "x/s"), "5.28e7 x/s");
        assert_eq!(with_unit(1.0 / 3.0, "s"), "0.33333 s");
        assert_eq!(with_unit(100.0 / 3.0, "s"), "33.333 s");
    }
}
