//! Words for what is told of gates.

use karat_model::finding::Location;
use karat_model::gates::{GateState, Hits, TracedRun, Via};

pub(super) fn via(via: Via) -> &'static str {
    match via {
        Via::Call => "called in",
        Via::Inlined => "inlined in",
        Via::Folded => "folded into",
        Via::Line => "in",
    }
}

pub(super) fn state(state: GateState) -> &'static str {
    match state {
        GateState::Absent => "absent",
        GateState::NotLoaded => "not loaded",
        GateState::Dead => "dead",
        GateState::Executed => "executed",
        GateState::Rare => "rare",
        GateState::Hot => "hot",
    }
}

pub(super) fn times(hits: Hits) -> String {
    match (hits.count, hits.exact) {
        (0, _) => "never executed".into(),
        (1, false) => "executed".into(),
        (count, false) => format!("executed {count} times or more"),
        (1, true) => "executed once".into(),
        (count, true) => format!("executed {count} times"),
    }
}

/// How a command ended.
pub(super) fn end(run: &TracedRun) -> String {
    match (run.exit_code, run.signal) {
        (Some(code), _) => format!("ended with {code}"),
        (None, Some(signal)) => format!("was ended by signal {signal}"),
        (None, None) => "ended".into(),
    }
}

/// Source line, or the address.
pub(super) fn place(address: u64, location: Option<&Location>) -> String {
    match location {
        Some(Location {
            file,
            line: Some(line),
            ..
        }) => format!("{file}:{line}"),
        _ => format!("{address:#x}"),
    }
}

pub(super) fn counted(count: u64, one: &str, many: &str) -> String {
    match count {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}
