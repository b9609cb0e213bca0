//! The study of `karat ab` as the text of a study file.
//!
//! The text is what is run: it is read back before anything is done, so that what a
//! run folder keeps cannot be another study than the one that was measured.

use crate::commands::toml_text::{list, string};
use karat_model::study::{
    Builder, Layouts, MaxTime, Measure, MetricPlan, MetricSource, Study, Surroundings, Variant,
    Workload,
};
use karat_model::units::Better;

/// The text of a study whose variants are programs that exist.
///
/// Each structure is taken apart by name: a field that is added to one of them must be
/// written here too, or this does not compile.
pub fn of(study: &Study, command_line: &str) -> String {
    let Study {
        name,
        title,
        description,
        baseline,
        variants,
        workloads,
        measure,
        // What no command line says.
        candidate: _,
        pairs: _,
        parity: _,
        expect: _,
        bloat: _,
        budget: _,
        soak: _,
    } = study;
    let mut out = format!("# {command_line}\n");
    let mut line = |text: String| {
        out.push_str(&text);
        out.push('\n');
    };
    line("schema = 1".into());
    line(format!("name = {}", string(name)));
    line(format!("title = {}", string(title)));
    if !description.is_empty() {
        line(format!("description = {}", string(description)));
    }
    let baseline = &variants[*baseline].name.value;
    line(format!("baseline = {}", string(baseline)));
    for variant in variants {
        line(of_variant(variant));
    }
    for workload in workloads {
        line(of_workload(workload));
    }
    line(of_measure(measure));
    out
}

fn of_variant(variant: &Variant) -> String {
    let Variant {
        name,
        why,
        requires,
        builder,
        args,
        run,
    } = variant;
    let mut out = format!("\n[[variant]]\nname = {}\n", string(&name.value));
    out += &format!("why = {}\n", string(why));
    if !requires.is_empty() {
        out += &format!("requires = {}\n", list(requires));
    }
    if let Builder::Binary(path) = builder {
        out += &format!("binary = {}\n", string(&path.value.to_string_lossy()));
    }
    out += &format!("args = {}\n", list(args));
    let around = around(run);
    if !around.is_empty() {
        out += &format!("\n[variant.run]\n{around}");
    }
    out
}

fn of_workload(workload: &Workload) -> String {
    let Workload {
        name,
        why,
        args,
        run,
        null_stdout,
        metrics,
        margin,
        timeout,
    } = workload;
    let mut out = format!("[[workload]]\nname = {}\n", string(name));
    if !why.is_empty() {
        out += &format!("why = {}\n", string(why));
    }
    out += &format!("args = {}\n", list(args));
    out += &around(run);
    if *null_stdout {
        out += "stdout = \"null\"\n";
    }
    let metrics: Vec<String> = metrics.iter().map(metric).collect();
    out += &format!("metric = [{}]\n", metrics.join(", "));
    // Without an exponent, and read back to the last bit.
    out += &format!("margin = \"{margin}\"\ntimeout = \"{timeout} s\"\n");
    out
}

fn of_measure(measure: &Measure) -> String {
    let Measure {
        max_rounds,
        warmup,
        pin,
        time,
        layouts,
    } = measure;
    let time = match time {
        MaxTime::Auto => "auto".to_owned(),
        MaxTime::Seconds(seconds) => format!("{seconds} s"),
    };
    let layouts = match layouts {
        Layouts::Auto => "\"auto\"".to_owned(),
        Layouts::Count(count) => count.to_string(),
    };
    format!(
        "[measure]\nmax-rounds = {max_rounds}\nwarmup = {warmup}\npin = {pin}\n\
         max-time = \"{time}\"\nlayouts = {layouts}"
    )
}

fn around(run: &Surroundings) -> String {
    let Surroundings {
        stdin,
        dir,
        env,
        setup,
        cleanup,
    } = run;
    let mut out = String::new();
    let mut key = |name: &str, value: Option<&str>| {
        if let Some(value) = value {
            out += &format!("{name} = {}\n", string(value));
        }
    };
    let path = |p: &karat_model::study::Located<std::path::PathBuf>| {
        p.value.to_string_lossy().into_owned()
    };
    key("stdin", stdin.as_ref().map(path).as_deref());
    key("dir", dir.as_ref().map(path).as_deref());
    key("setup", setup.as_deref());
    key("cleanup", cleanup.as_deref());
    if !env.is_empty() {
        let pair =
            |(name, value): (&String, &String)| format!("{} = {}", string(name), string(value));
        let pairs: Vec<String> = env.iter().map(pair).collect();
        out += &format!("env = {{ {} }}\n", pairs.join(", "));
    }
    out
}

fn metric(plan: &MetricPlan) -> String {
    let MetricPlan { source, metric } = plan;
    let better = match metric.better {
        Better::Higher => "higher",
        Better::Lower => "lower",
    };
    let printed = |key: &str, value: &str| {
        format!(
            "{{ {key} = {}, name = {}, unit = {}, better = \"{better}\" }}",
            string(value),
            string(&metric.name),
            string(&metric.unit)
        )
    };
    match source {
        MetricSource::Json(key) => printed("json", key),
        MetricSource::Regex(pattern) => printed("regex", pattern),
        MetricSource::Output { tool, path } => {
            let tool = string(tool.as_deref().unwrap_or("auto"));
            match path {
                Some(path) => {
                    let path = string(&path.to_string_lossy());
                    format!("{{ output = {tool}, path = {path} }}")
                }
                None => format!("{{ output = {tool} }}"),
            }
        }
        MetricSource::Cpu
        | MetricSource::Wall
        | MetricSource::Rss
        | MetricSource::Faults
        | MetricSource::Counter(_)
        | MetricSource::Cachegrind => string(&metric.name),
    }
}
