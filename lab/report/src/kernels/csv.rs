//! A record: a heading that names machine, date and command, then one line for
//! each arm of each case.

use karat_model::kernels::{Case, CaseArm, KernelBench, SizeUnit, WorkUnit};
use std::fmt::Write as _;

/// The benchmark as CSV with `#` lines in front, as the files in `records/`.
pub fn csv(bench: &KernelBench) -> String {
    let m = &bench.machine;
    let or_none = |text: &Option<String>| text.clone().unwrap_or_else(|| "none".into());
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "# command: {}\n# run: {}, karat {}, {:.0} s, seed {}, margin {}{}\n\
         # machine: {} ({}), {} processors, {}, hypervisor {}\n# isas: {}\n\
         # compilers: {}; {}\n\
         task,kernel,items,size,unit,threads,arm,peer,chosen,ns,work_unit,work_per_s,cycles_per_work,\
         baseline,speed,low,high,judgement,rounds,clock_ghz,clock_drop,note\n",
        karat_page::printable(&bench.command).replace('\n', " "),
        bench.started,
        bench.karat,
        bench.seconds,
        bench.seed,
        bench.margin,
        if bench.quick {
            ", quick: too few rounds to conclude from"
        } else {
            ""
        },
        m.cpu,
        m.cpu_id,
        m.processors,
        m.kernel,
        or_none(&m.hypervisor),
        m.isas.join(" "),
        or_none(&m.rustc),
        or_none(&m.cc),
    );
    for case in &bench.cases {
        for arm in &case.arms {
            row(&mut out, case, arm);
        }
    }
    out
}

fn row(out: &mut String, case: &Case, arm: &CaseArm) {
    let number = |value: Option<f64>, decimals: usize| match value {
        Some(value) if value.is_finite() => format!("{value:.decimals$}"),
        _ => String::new(),
    };
    let fields = [
        case.task.clone(),
        case.kernel.clone(),
        case.items.to_string(),
        case.size.to_string(),
        size_unit(case.unit).to_owned(),
        case.threads.to_string(),
        arm.name.clone(),
        arm.peer.to_string(),
        arm.chosen.to_string(),
        number(Some(arm.ns), 2),
        work_unit(case.work_unit).to_owned(),
        number(Some(arm.per_second), 0),
        number(arm.cycles, 4),
        case.baseline.clone(),
        number(arm.speed.map(|s| s.estimate), 5),
        number(arm.speed.and_then(|s| s.low), 5),
        number(arm.speed.and_then(|s| s.high), 5),
        arm.judgement.map_or("", |j| j.word()).to_owned(),
        case.rounds.to_string(),
        number(Some(case.clock_ghz), 4),
        number(arm.clock_drop, 3),
        arm.note.clone(),
    ];
    let quoted: Vec<String> = fields.iter().map(|f| quote(f)).collect();
    let _ = writeln!(out, "{}", quoted.join(","));
}

const fn size_unit(unit: SizeUnit) -> &'static str {
    match unit {
        SizeUnit::Bytes => "bytes",
        SizeUnit::Bits => "bits",
        SizeUnit::Count => "count",
    }
}

const fn work_unit(unit: WorkUnit) -> &'static str {
    match unit {
        WorkUnit::Bytes => "bytes",
        WorkUnit::Operations => "operations",
    }
}

/// A field by RFC 4180.
fn quote(field: &str) -> String {
    if field.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}
