//! Headless Chromium: finding it, installing it in CI, opening pages in it.

use super::apt;
use super::step::{Outcome, Skip};
use crate::command::command;
use anyhow::{Context as _, Result, bail};
use serde_json::Value;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

/// Name for `--require`.
pub const CHROMIUM: &str = "chromium";

/// Names of the program; the first that starts is taken.
const PROGRAMS: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
];

/// No page of ours takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// Works as root, without a display, and asks nobody for anything.
const FLAGS: [&str; 14] = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--allow-file-access-from-files",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--enable-logging=stderr",
    "--v=0",
];

/// A browser that starts.
pub struct Browser {
    program: &'static str,
    scratch: PathBuf,
    visits: std::cell::Cell<u32>,
}

/// A page to open.
pub struct Page<'a> {
    pub file: &'a Path,
    pub width: u32,
    pub height: u32,
    pub dark: bool,
}

/// What the browser told of a page.
pub struct Visit {
    /// The document after its scripts have run.
    pub dom: String,
    /// Messages on the console.
    pub console: Vec<String>,
    /// Addresses that the page asked for on the network.
    pub requests: Vec<String>,
}

/// The step that looks for the browser early, so that a missing one is known
/// before the long steps.
pub fn step() -> Result<Outcome> {
    if version().is_none() && apt::in_ci() {
        // A page without any font has no text to look at.
        apt::install(&["chromium", "fonts-dejavu-core"]);
    }
    Ok(match version() {
        Some((_, version)) => Outcome::Noted(version),
        None => Outcome::Skipped(missing()),
    })
}

/// Why steps that need a browser are skipped.
pub fn missing() -> Skip {
    Skip {
        missing: CHROMIUM,
        remedy: "install it, on Debian with `apt-get install chromium`".to_owned(),
    }
}

/// Name and version of the installed browser.
fn version() -> Option<(&'static str, String)> {
    PROGRAMS.into_iter().find_map(|program| {
        let output = command(program, &["--version"]).output().ok()?;
        let version = String::from_utf8_lossy(&output.stdout).trim().to_owned();
        output.status.success().then_some((program, version))
    })
}

impl Browser {
    /// The installed browser; it keeps its own files in `scratch`.
    pub fn find(scratch: &Path) -> Option<Self> {
        let (program, _) = version()?;
        Some(Self {
            program,
            scratch: scratch.to_owned(),
            visits: std::cell::Cell::new(0),
        })
    }

    /// Opens a page and tells what became of it.
    pub fn visit(&self, page: &Page<'_>) -> Result<Visit> {
        let folder = self.new_folder()?;
        let log = folder.join("network.json");
        let mut browser = self.command(&folder, page);
        browser.arg(option("--log-net-log=", &log));
        browser.arg("--dump-dom");
        let (dom, told) = self.wait(browser, &folder, page)?;
        let requests = std::fs::read_to_string(&log)
            .context("the browser wrote no network log")
            .and_then(|text| requests(&text))?;
        Ok(Visit {
            dom,
            console: console(&told),
            requests,
        })
    }

    /// Takes a picture of the page; returns its bytes.
    pub fn picture(&self, page: &Page<'_>, file: &Path) -> Result<Vec<u8>> {
        let folder = self.new_folder()?;
        let mut browser = self.command(&folder, page);
        browser.arg(option("--screenshot=", file));
        self.wait(browser, &folder, page)?;
        std::fs::read(file).context("the browser took no picture")
    }

    /// A folder that no other start of the browser has used.
    fn new_folder(&self) -> Result<PathBuf> {
        let number = self.visits.get();
        self.visits.set(number + 1);
        let folder = self.scratch.join(format!("browser-{number}"));
        std::fs::create_dir_all(&folder)?;
        Ok(folder)
    }

    fn command(&self, folder: &Path, page: &Page<'_>) -> Command {
        let mut browser = command(self.program, &FLAGS);
        browser.arg(option("--user-data-dir=", &folder.join("profile")));
        browser.arg(format!("--window-size={},{}", page.width, page.height));
        let scheme = if page.dark { 0 } else { 1 };
        browser.arg(format!("--blink-settings=preferredColorScheme={scheme}"));
        browser
    }

    /// Its stdout and stderr, once it has ended by itself.
    fn wait(
        &self,
        mut browser: Command,
        folder: &Path,
        page: &Page<'_>,
    ) -> Result<(String, String)> {
        let [out, err] = ["stdout", "stderr"].map(|name| folder.join(name));
        browser.arg(option("file://", page.file));
        // Files, not pipes: a helper process may outlive the browser.
        browser
            .stdout(File::create(&out)?)
            .stderr(File::create(&err)?);
        let mut child = browser
            .spawn()
            .with_context(|| format!("cannot start {}", self.program))?;
        let begin = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait()? {
                break status;
            }
            if begin.elapsed() > PATIENCE {
                child.kill()?;
                child.wait()?;
                bail!(
                    "{} did not finish {} in {} s; what it said is in {}",
                    self.program,
                    page.file.display(),
                    PATIENCE.as_secs(),
                    err.display()
                );
            }
            std::thread::sleep(Duration::from_millis(20));
        };
        let text = |file| {
            Ok::<_, std::io::Error>(String::from_utf8_lossy(&std::fs::read(file)?).into_owned())
        };
        let told = text(&err)?;
        if !status.success() {
            bail!("{} failed ({status}):\n{told}", self.program);
        }
        Ok((text(&out)?, told))
    }
}

fn option(name: &str, path: &Path) -> std::ffi::OsString {
    let mut option = std::ffi::OsString::from(name);
    option.push(path);
    option
}

/// Console messages in the browser's log: `[…:INFO:CONSOLE:12] "text", source: …`.
fn console(log: &str) -> Vec<String> {
    log.lines()
        .filter_map(|line| line.split_once(":CONSOLE"))
        .filter_map(|(_, message)| message.split_once("] "))
        .map(|(_, message)| message.to_owned())
        .collect()
}

/// What pages asked for. The browser's own requests have no origin.
fn requests(log: &str) -> Result<Vec<String>> {
    let log: Value = serde_json::from_str(log).context("the network log is not JSON")?;
    let events = log["events"].as_array();
    let events = events.context("the network log has no events")?;
    let mut found: Vec<String> = events
        .iter()
        .map(|event| &event["params"])
        .filter(|params| {
            params["initiator"]
                .as_str()
                .is_some_and(|origin| origin != "not an origin")
        })
        .filter_map(|params| params["url"].as_str())
        .map(str::to_owned)
        .collect();
    found.sort();
    found.dedup();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{console, requests};

    #[test]
    fn console_messages_are_found_in_old_and_new_logs() {
        let log = "[1:2:ERROR:dbus/bus.cc:405] Failed to connect\n\
                   [1:2:INFO:CONSOLE:1] \"oops\", source: file:///x (1)\n\
                   [1:2:INFO:CONSOLE(7)] \"old\", source: file:///x (7)\n";
        assert_eq!(
            console(log),
            [
                "\"oops\", source: file:///x (1)",
                "\"old\", source: file:///x (7)"
            ]
        );
    }

    #[test]
    fn only_requests_of_pages_count() {
        let log = r#"{"events": [
            {"params": {"url": "https://update.invalid/", "initiator": "not an origin"}},
            {"params": {"url": "https://a.invalid/x.css", "initiator": "null"}},
            {"params": {"url": "https://a.invalid/x.css"}},
            {"type": 1}
        ]}"#;
        assert_eq!(requests(log).expect("a log"), ["https://a.invalid/x.css"]);
    }
}
