//! Starts without accounts: short questions to tools, programs that karat talks with,
//! karat's place taken by another program, and programs with fixed addresses.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Output, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How often a wait looks whether the program has ended.
const GLANCE: Duration = Duration::from_millis(5);

/// Runs a command to its end and gives all of its output, however long; `None` when it
/// took longer than `timeout` and was killed. For tools that answer questions: what such a
/// tool leaves running is not looked for.
///
/// # Errors
/// When it cannot be started or waited for.
pub fn output(command: &mut Command, timeout: Duration) -> io::Result<Option<Output>> {
    let start = Instant::now();
    let mut child = command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    let [stdout, stderr] = [child.stdout.take().map(all), child.stderr.take().map(all)];
    let status = loop {
        if let Some(status) = child.try_wait()? {
            break status;
        }
        if start.elapsed() > timeout {
            child.kill()?;
            child.wait()?;
            return Ok(None);
        }
        thread::sleep(GLANCE);
    };
    let read = |reader: Option<JoinHandle<Vec<u8>>>| {
        reader.map_or_else(Vec::new, |r| r.join().unwrap_or_default())
    };
    Ok(Some(Output {
        status,
        stdout: read(stdout),
        stderr: read(stderr),
    }))
}

/// Reads a pipe to its end, on a thread of its own.
fn all(mut pipe: impl Read + Send + 'static) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // What was read before an error is the output.
        let _ = pipe.read_to_end(&mut bytes);
        bytes
    })
}

/// Starts a program whose standard input and output are pipes to karat, for as long as
/// the two talk. It is for the caller to end it and to wait for it.
///
/// # Errors
/// When it cannot be started.
pub fn start_piped(command: &mut Command) -> io::Result<Child> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()
}

/// Becomes the program and does not return; returns the error if it cannot.
pub fn become_program(command: &mut Command) -> io::Error {
    command.exec()
}

/// Lets `command` start its program without randomised addresses. Where the system
/// forbids it, starting fails.
pub fn fix_addresses(command: &mut Command) {
    // SAFETY: the closure runs between fork and exec, where only
    // async-signal-safe work is allowed; it makes two system calls, reads
    // errno, and neither allocates nor takes a lock.
    unsafe {
        command.pre_exec(|| {
            // All ones ask for the present value (personality(2)).
            let now = libc::personality(0xffff_ffff);
            if now == -1 {
                return Err(io::Error::last_os_error());
            }
            let wanted = now | libc::ADDR_NO_RANDOMIZE;
            if libc::personality(wanted as libc::c_ulong) == -1 {
                return Err(io::Error::last_os_error());
            }
            Ok(())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tool_that_hangs_is_ended_and_one_that_answers_is_heard_out() {
        let patience = Duration::from_millis(200);
        let hung = output(Command::new("sleep").arg("60"), patience).unwrap();
        assert!(hung.is_none());
        let long = "head -c 1000000 /dev/zero; echo no >&2; exit 3";
        let answer = output(
            Command::new("sh").args(["-c", long]),
            Duration::from_secs(60),
        );
        let answer = answer.unwrap().expect("in time");
        assert_eq!(
            (answer.stdout.len(), answer.stderr.as_slice()),
            (1_000_000, &b"no\n"[..])
        );
        assert_eq!(answer.status.code(), Some(3));
    }
}
