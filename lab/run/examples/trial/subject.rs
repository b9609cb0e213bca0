//! Runs of the subject.

use crate::options::Request;
use crate::series::ARMS;
use karat_process::Finished;
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A run of 20 ms that takes this long is stuck.
const STUCK: Duration = Duration::from_secs(60);

/// Runs an arm: `operations` are the baseline's. All arms of a round have the same input, other
/// rounds have others.
pub fn run(
    request: &Request,
    workload: &str,
    operations: u64,
    arm: usize,
    round: u32,
) -> Result<Finished, String> {
    let count = operations / 100 * (100 + ARMS[arm].percent);
    // One length for all: a longer argument would shift the stack.
    let args = [format!("{count:020}"), format!("{round:020}")];
    once(request, workload, &args)
}

fn once(request: &Request, workload: &str, args: &[String]) -> Result<Finished, String> {
    let subject = request.subject.display();
    let never = AtomicBool::new(false);
    let mut command = Command::new(&request.subject);
    let run = karat_process::run(command.arg(workload).args(args), STUCK, &never).map_err(|e| {
        format!("{subject} cannot be run: {e}; build it as studies/judge-trial/README.md says")
    })?;
    if !run.success() {
        let said = run.last_lines(10);
        return Err(format!("{subject} {workload}: {}\n{said}", run.ending));
    }
    Ok(run)
}

/// The subject's own number of operations: the second word it prints.
pub fn defaults(request: &Request, workload: &str) -> Result<u64, String> {
    let run = once(request, workload, &[])?;
    let text = String::from_utf8_lossy(&run.stdout).into_owned();
    let number = text.split_whitespace().nth(1).and_then(|n| n.parse().ok());
    // A percent of it must be a whole number.
    let whole = number.filter(|n: &u64| *n > 0 && n.is_multiple_of(100));
    whole.ok_or_else(|| format!("no multiple of 100 as second word of `{text}`"))
}
