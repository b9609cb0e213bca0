//! `[soak]`: how a variant is watched for a long time, and the limits it is held against.

use super::fields::{Fields, Located};
use super::names::unknown_name;
use super::{Workload, quantity};
use crate::diagnostic::Problem;
use crate::soak::Budget;

/// What `karat soak --study` takes from a study. Times and limits are text, as they would
/// be typed; that they can be read has been seen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StudySoak {
    /// Index of the workload in [`Study::workloads`](super::Study::workloads).
    pub workload: usize,
    /// How long.
    pub time: Option<String>,
    /// Time between two samples.
    pub every: Option<String>,
    /// Length of an epoch.
    pub epoch: Option<String>,
    /// Time after each start that is not judged.
    pub warm: Option<String>,
    /// What lines tell, a regular expression.
    pub line: Option<String>,
    /// Shell command that works the program.
    pub load: Option<String>,
    /// Whether the program is started again whenever it ends.
    pub repeat: bool,
    /// The limits.
    pub budgets: Vec<String>,
}

pub(super) fn read(
    fields: Option<Fields<'_, '_>>,
    workloads: &[Workload],
    problems: &mut Vec<Problem>,
) -> Option<StudySoak> {
    let mut fields = fields?;
    let mut soak = StudySoak::default();
    if let Some(name) = fields.string("workload", problems) {
        let known: Vec<&str> = workloads.iter().map(|w| w.name.as_str()).collect();
        match known.iter().position(|known| *known == name.value) {
            Some(found) => soak.workload = found,
            None => problems.push(unknown_name(&name, "workload", "workload", &known)),
        }
    }
    soak.time = duration(&mut fields, "for", problems);
    soak.every = duration(&mut fields, "every", problems);
    soak.epoch = duration(&mut fields, "epoch", problems);
    soak.warm = duration(&mut fields, "warm", problems);
    let mut text = |key| fields.string(key, problems).map(|text| text.value);
    soak.line = text("line");
    soak.load = text("load");
    soak.repeat = fields.boolean("repeat", problems).unwrap_or_default();
    for limit in fields.strings("budgets", problems).unwrap_or_default() {
        if let Err(why) = Budget::parse(&limit.value) {
            problems.push(wrong(&limit, why));
        }
        soak.budgets.push(limit.value);
    }
    fields.finish("[soak]", problems);
    Some(soak)
}

fn duration(
    fields: &mut Fields<'_, '_>,
    key: &'static str,
    problems: &mut Vec<Problem>,
) -> Option<String> {
    let text = fields.string(key, problems)?;
    if quantity::duration(&text.value).is_none() {
        let why = format!("`{key}` is not a duration");
        problems.push(Problem {
            label: "expected such as \"10 s\", \"10 min\" or \"8 h\"".into(),
            ..wrong(&text, why)
        });
    }
    Some(text.value)
}

fn wrong(text: &Located<String>, message: String) -> Problem {
    Problem {
        message,
        span: text.span.clone(),
        label: "here".into(),
        help: None,
    }
}
