//! The command line.

use std::process::ExitCode;

use crate::timing::{Workload, measure};

/// What is special about a subject.
pub struct Program {
    /// Its name.
    pub name: &'static str,
    /// All its workloads.
    pub workloads: Vec<&'static str>,
    /// The workload of that name, which is one of `workloads`.
    pub workload: fn(&str) -> Box<dyn Workload>,
    /// Commands besides `bench`; each gives the lines for stdout, or what failed first.
    pub checks: &'static [(&'static str, fn() -> Result<String, String>)],
}

/// Does what the command line says.
pub fn main(program: &Program) -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let wrong = |message: &str| {
        eprintln!("{}: {message}\n{}", program.name, usage(program));
        ExitCode::from(2)
    };
    match args.as_slice() {
        ["bench", name] => match bench(program, name) {
            Ok(()) => ExitCode::SUCCESS,
            Err(message) => wrong(&message),
        },
        [name] => match program.checks.iter().find(|check| check.0 == *name) {
            Some((_, check)) => match check() {
                Ok(lines) => {
                    print!("{lines}");
                    ExitCode::SUCCESS
                }
                Err(message) => {
                    eprintln!("{name}: {message}");
                    ExitCode::FAILURE
                }
            },
            None => wrong(&format!("unknown command `{name}`")),
        },
        [] => wrong("no command given"),
        [first, ..] => wrong(&format!("unknown arguments from `{first}` on")),
    }
}

fn usage(program: &Program) -> String {
    let mut text = format!("usage: {} bench WORKLOAD\n", program.name);
    for (name, _) in program.checks {
        text += &format!("       {} {name}\n", program.name);
    }
    text + "workloads: " + &program.workloads.join(" ")
}

fn bench(program: &Program, name: &str) -> Result<(), String> {
    if !program.workloads.contains(&name) {
        return Err(format!("unknown workload `{name}`"));
    }
    let mut workload = (program.workload)(name);
    let found = measure(workload.as_mut());
    eprintln!("checksum {:016x}", found.checksum);
    println!(
        r#"{{"workload":"{name}","metric":"throughput","value":{},"unit":"{}"}}"#,
        found.value,
        workload.unit().name()
    );
    Ok(())
}
