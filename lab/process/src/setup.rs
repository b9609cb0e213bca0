//! What surrounds a run: input, directory, environment, commands before and after.

use super::failure::{Failure, Script};
use super::finished::{Ending, Finished};
use super::leftovers::{Reach, Scope};
use super::start::{Around, Stdout, run_with};
use crate::counters;
use std::fs::File;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// After an interrupt a cleanup gets this much time, and no more.
const LAST_CLEANUP: Duration = Duration::from_secs(5);

/// What surrounds a run. The default surrounds it with nothing, and stdin is
/// /dev/null.
///
/// The commands run by `sh -c`, on the processor that the calling thread is
/// pinned to, in the same directory and environment as the program. They are not
/// measured. What `setup` leaves running in its process group is killed before the
/// program starts; what it leaves in a session of its own (`setsid --fork server`)
/// is there for the program, and is killed after `cleanup`.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// File that is stdin, opened again for every run, after `setup`. A relative
    /// path starts in karat's own directory. Regular files and character devices
    /// only: opening a pipe would wait for its writer.
    pub stdin: Option<PathBuf>,
    /// Where stdout goes.
    pub stdout: Stdout,
    /// Working directory. It must be there before `setup`; the program must then
    /// be an absolute path or a name to be searched in `PATH`.
    pub dir: Option<PathBuf>,
    /// Variables added to the environment, or replaced in it.
    pub env: Vec<(String, String)>,
    /// Shell command before every run. If it fails, the program does not run.
    pub setup: Option<String>,
    /// Shell command after every run, however the run ended. It does not run
    /// after a `setup` that failed.
    pub cleanup: Option<String>,
    /// Hardware counters of the program and its children.
    pub counters: Option<counters::Set>,
}

impl Setup {
    /// Runs `command` to its end with all of this around it. `timeout` holds for
    /// the program and for each command around it.
    ///
    /// # Errors
    /// See [`Failure`]. When the program itself ends badly, that is in the result,
    /// and a failed cleanup after it is not: the first failure is the cause.
    pub fn run(
        &self,
        command: &mut Command,
        timeout: Duration,
        interrupt: &AtomicBool,
    ) -> Result<Finished, Failure> {
        self.check(command)?;
        let scope = Scope::open().map_err(Failure::Left)?;
        if let Some(script) = &self.setup {
            self.script(&scope, Script::Setup, script, timeout, interrupt)?;
            scope.spare();
        }
        let finished = self.program(&scope, command, timeout, interrupt);
        let cleaned = match &self.cleanup {
            None => Ok(()),
            Some(script) if interrupt.load(Ordering::Relaxed) => {
                let never = AtomicBool::new(false);
                let timeout = timeout.min(LAST_CLEANUP);
                self.script(&scope, Script::Cleanup, script, timeout, &never)
            }
            Some(script) => self.script(&scope, Script::Cleanup, script, timeout, interrupt),
        };
        let spared = scope.clear_spared();
        let finished = finished?;
        if finished.success() {
            cleaned?;
        }
        spared.map_err(Failure::Left)?;
        Ok(finished)
    }

    /// Finds what std would only call "No such file or directory".
    fn check(&self, command: &Command) -> Result<(), Failure> {
        let Some(dir) = &self.dir else { return Ok(()) };
        let wrong = |what: String| Failure::Directory {
            path: dir.clone(),
            what,
        };
        let meta = std::fs::metadata(dir).map_err(|e| wrong(e.to_string()))?;
        if !meta.is_dir() {
            return Err(wrong("is not a directory".into()));
        }
        let program = Path::new(command.get_program());
        if program.is_relative() && program.components().count() > 1 {
            return Err(Failure::RelativeProgram(program.to_owned()));
        }
        Ok(())
    }

    fn program(
        &self,
        scope: &Scope,
        command: &mut Command,
        timeout: Duration,
        interrupt: &AtomicBool,
    ) -> Result<Finished, Failure> {
        let stdin = match &self.stdin {
            None => Stdio::null(),
            Some(path) => input(path)?.into(),
        };
        self.around(command);
        let around = Around {
            stdin,
            stdout: self.stdout,
            counters: self.counters.clone(),
            reach: Reach::All,
        };
        run_with(scope, command, around, timeout, interrupt)
    }

    fn script(
        &self,
        scope: &Scope,
        script: Script,
        text: &str,
        timeout: Duration,
        interrupt: &AtomicBool,
    ) -> Result<(), Failure> {
        let mut command = Command::new("sh");
        command.args(["-c", text]);
        self.around(&mut command);
        let failed = |what: String| Failure::Script {
            script,
            command: text.to_owned(),
            what,
        };
        let around = Around {
            reach: match script {
                Script::Setup => Reach::Groups,
                Script::Cleanup => Reach::All,
            },
            ..Around::default()
        };
        let done = run_with(scope, &mut command, around, timeout, interrupt).map_err(|e| {
            failed(match e {
                Failure::Start(e) => format!("`sh` cannot be started: {e}"),
                other => other.to_string(),
            })
        })?;
        match done.ending {
            Ending::Exit(0) => Ok(()),
            Ending::Interrupted => Err(Failure::Interrupted),
            ending => {
                let said = done.last_lines(5);
                let said = said.lines().map(|l| format!("\n    {l}"));
                Err(failed(format!("{ending}{}", said.collect::<String>())))
            }
        }
    }

    fn around(&self, command: &mut Command) {
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        command.envs(self.env.iter().map(|(key, value)| (key, value)));
    }
}

/// Opens the file for one run.
fn input(path: &Path) -> Result<File, Failure> {
    let wrong = |what: String| Failure::Stdin {
        path: path.to_owned(),
        what,
    };
    let kind = std::fs::metadata(path)
        .map_err(|e| wrong(e.to_string()))?
        .file_type();
    if !kind.is_file() && !kind.is_char_device() {
        return Err(wrong("is not a regular file".into()));
    }
    File::open(path).map_err(|e| wrong(e.to_string()))
}
