//! `karat gates`: where gate functions are asked in a binary, and behind what.

use super::failed;
use crate::args::{self, ListFormat};
use crate::{exit, say};
use anyhow::Result;
use karat_model::finding::Location;
use karat_model::gates::{Gate, GateCall};
use std::fmt::Write as _;

/// Prints what is known of each gate.
pub fn run(args: &args::Gates) -> Result<u8> {
    let bytes = std::fs::read(&args.binary).map_err(|error| {
        failed(
            exit::USAGE,
            format!("cannot read {}: {error}", args.binary.display()),
        )
    })?;
    let gates = karat_audit::gates(&bytes, &args.gates)
        .map_err(|error| failed(exit::AUDIT, format!("{}: {error}", args.binary.display())))?;
    match args.format {
        ListFormat::Json => {
            let json = serde_json::json!({ "schema": 1, "gates": gates });
            say::result(&serde_json::to_string_pretty(&json)?)?;
        }
        ListFormat::Human => say::result(&human(&gates))?,
    }
    Ok(exit::GOOD)
}

fn human(gates: &[Gate]) -> String {
    let mut out = String::new();
    for gate in gates {
        let _ = writeln!(out, "{}", gate.summary);
        for call in &gate.calls {
            let _ = writeln!(out, "  {}", line(call));
        }
        if gate.pointers > 0 {
            let _ = writeln!(out, "  its address is taken at {} places", gate.pointers);
        }
        if let Some(caveat) = &gate.caveat {
            let _ = writeln!(out, "  {caveat}");
        }
    }
    out
}

/// One call with its guard.
fn line(call: &GateCall) -> String {
    let how = if call.inlined {
        "inlined in"
    } else {
        "called in"
    };
    let mut text = format!("{how} {}", call.caller);
    let _ = write!(text, " at {}", place(call.address, call.location.as_ref()));
    match &call.guard {
        Some(guard) => {
            let branch = place(guard.address, guard.location.as_ref());
            let _ = write!(text, ", behind `{}` at {branch}", guard.condition);
            if let Some(variable) = &guard.variable {
                let _ = write!(text, " (asks {variable})");
            }
            if let Some(constant) = &guard.constant {
                let _ = write!(text, ": {constant}");
            }
        }
        None => text.push_str(", behind no branch"),
    }
    if let Some(dead) = &call.dead {
        let _ = write!(text, "; never reached: {dead}");
    }
    text
}

fn place(address: u64, location: Option<&Location>) -> String {
    match location {
        Some(Location {
            file,
            line: Some(line),
            ..
        }) => format!("{file}:{line}"),
        _ => format!("{address:#x}"),
    }
}
