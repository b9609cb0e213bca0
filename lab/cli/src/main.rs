//! The `karat` command: flags, exit codes, progress, wiring.

mod args;
mod commands;
mod event_file;
mod exit;
mod failed;
mod progress;
mod run_folder;
mod say;

use std::process::ExitCode;

fn main() -> ExitCode {
    // A build starts karat in its linker's place; nothing else must happen then.
    if let Some(error) = karat_build::layout::become_linker_if_asked() {
        eprintln!("karat, in the place of a linker: {error}");
        return ExitCode::from(exit::INTERNAL);
    }
    // Cargo starts karat in rustc's place when a variant's flags are not for
    // all crates; nothing else must happen then.
    if let Some(error) = karat_build::wrapper::become_rustc_if_asked() {
        eprintln!("karat: cannot start rustc: {error}");
        return ExitCode::from(exit::INTERNAL);
    }
    if karat_run::doctor::noise::spin_if_asked() || karat_build::layout::probe_if_asked() {
        return ExitCode::SUCCESS;
    }
    let args = args::parse();
    say::choose_color(args.color);
    let result = match &args.command {
        args::Command::Run(run) => commands::run::run(run, args.quiet),
        args::Command::Ab(ab) => commands::ab::run(ab, args.quiet),
        args::Command::Audit(audit) => commands::audit::run(audit, args.quiet),
        args::Command::Compare(compare) => commands::compare::run(compare, args.quiet),
        args::Command::Doctor(doctor) => commands::doctor::run(doctor, args.quiet),
        args::Command::Kernels(kernels) => commands::kernels::run(kernels, args.quiet),
        args::Command::Gates(gates) => commands::gates::run(gates),
        args::Command::Scan(scan) => commands::scan::run(scan, args.quiet),
        args::Command::Soak(soak) => commands::soak::run(soak, args.quiet),
        args::Command::Init(init) => commands::init::run(init),
        args::Command::Report(report) => commands::report::run(report),
        args::Command::History(history) => commands::history::run(history),
        args::Command::Explain { code } => commands::explain::run(code.as_deref()),
        args::Command::Completions { shell } => commands::completions::run(*shell),
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) if is_broken_pipe(&error) => ExitCode::from(exit::GOOD),
        Err(error) => {
            say::error(&format!("{error:#}"));
            let failed = error.downcast_ref::<failed::Failed>();
            ExitCode::from(failed.map_or(exit::INTERNAL, |f| f.code))
        }
    }
}

/// `karat history | head` is no error.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|e| e.downcast_ref::<std::io::Error>())
        .any(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}
