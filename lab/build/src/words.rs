//! What a variant is, in words and commands for a report.

use crate::cargo;
use karat_model::study::{Builder, Variant};
use karat_process::quote;
use std::path::Path;

/// What sets `variant` apart, in words for a report.
#[must_use]
pub fn settings(variant: &Variant) -> Vec<String> {
    let mut out = match &variant.builder {
        Builder::Cargo(cargo) => cargo::settings(cargo),
        Builder::Command(command) => {
            let mut out = vec![format!("command {}", command.command.join(" "))];
            out.extend(command.env.iter().map(|(k, v)| format!("env {k}={v}")));
            out
        }
        Builder::Binary(path) => vec![format!("binary {}", path.value.display())],
    };
    let run = &variant.run;
    out.extend(run.env.iter().map(|(k, v)| format!("run env {k}={v}")));
    if !variant.args.is_empty() {
        out.push(format!("arguments {}", quoted(&variant.args)));
    }
    out
}

fn quoted(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|w| quote(w)).collect();
    words.join(" ")
}

/// Commands that build `variant` by hand, from the folder of the study file; of a program that
/// exists, those that run it.
#[must_use]
pub fn reproduce(variant: &Variant) -> Vec<String> {
    match &variant.builder {
        Builder::Cargo(cargo) => cargo::reproduce(cargo),
        Builder::Command(command) => {
            let env: String = command
                .env
                .iter()
                .map(|(k, v)| format!("{k}={} ", quote(v)))
                .collect();
            vec![
                format!("cd {}", quote(&command.dir.value.to_string_lossy())),
                format!("{env}{}", quoted(&command.command)),
            ]
        }
        Builder::Binary(path) => program(&path.value, variant),
    }
}

/// What a program that is built is run with, where that makes the variant: a line to follow
/// [`reproduce`].
#[must_use]
pub fn run_with(variant: &Variant) -> Option<String> {
    if matches!(variant.builder, Builder::Binary(_)) {
        return None;
    }
    let set = variant.run.env.iter();
    let mut with: Vec<String> = set.map(|(k, v)| quote(&format!("{k}={v}"))).collect();
    if !variant.args.is_empty() {
        with.push(format!("the arguments {}", quoted(&variant.args)));
    }
    (!with.is_empty()).then(|| format!("# run it with {}", with.join(" ")))
}

/// How a program that exists is run: its arguments, and what the variant puts round it.
fn program(path: &Path, variant: &Variant) -> Vec<String> {
    let run = &variant.run;
    let quoted = |path: &Path| quote(&path.to_string_lossy());
    let mut out = Vec::new();
    if let Some(dir) = &run.dir {
        out.push(format!("cd {}", quoted(&dir.value)));
    }
    out.extend(run.setup.clone());
    let set = run.env.iter().map(|(k, v)| quote(&format!("{k}={v}")));
    let env = if run.env.is_empty() {
        None
    } else {
        Some("env".to_owned())
    };
    let mut words: Vec<String> = env.into_iter().chain(set).collect();
    words.push(quoted(path));
    words.extend(variant.args.iter().map(|a| quote(a)));
    if let Some(stdin) = &run.stdin {
        words.push(format!("< {}", quoted(&stdin.value)));
    }
    out.push(words.join(" "));
    out.extend(run.cleanup.clone());
    out
}

#[cfg(test)]
mod tests {
    use super::{reproduce, run_with};
    use karat_model::study::Study;

    /// Two variants of one build are two programs to whoever follows the commands.
    #[test]
    fn what_a_variant_runs_with_is_said_behind_its_build() {
        let study = Study::parse(
            r#"
            schema = 1
            name = "s"
            title = "Which form is faster?"
            baseline = "limbs"
            [subject]
            cargo = "subject"
            bin = "b"
            [[variant]]
            name = "limbs"
            [[variant]]
            name = "resident"
            run = { env = { FORM = "resident", WHY = "two words" } }
            args = ["--deep"]
            [[workload]]
            name = "w"
            metric = "cpu"
            "#,
        )
        .unwrap();
        let [plain, resident] = &study.variants[..] else {
            panic!("two variants");
        };
        assert_eq!(run_with(plain), None);
        assert_eq!(
            run_with(resident).unwrap(),
            "# run it with FORM=resident 'WHY=two words' the arguments --deep"
        );
        assert_eq!(reproduce(plain), reproduce(resident));
    }
}
