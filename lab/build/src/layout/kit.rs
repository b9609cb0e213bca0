//! What is needed to link a built program again, beside it in the cache.
//!
//! `builds/<key>/kit/` holds the notes of the link and its files, but those of
//! the system and of Rust toolchains, which stay where they are;
//! `builds/<key>/layouts/<seed>/` the layouts made so far. Paths of all layouts
//! have the same length, so that argv[0] shifts no stack.

use super::args;
use super::error::LayoutError;
use super::linker::{self, Family};
use super::moved::same_places;
use super::record::{self, INPUTS, Link};
use super::script::Script;
use crate::files::hash_file;
use karat_process::{Command, Ending, Finished};
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

const FOLDER: &str = "kit";
const FILE: &str = "kit.json";
/// Libraries that `-l` found outside of the system.
const LIBRARIES: &str = "lib";
const MAP: &str = "link.map";

/// No link takes longer.
const LONGEST: Duration = Duration::from_secs(3600);

/// What is written down.
#[derive(Serialize, Deserialize)]
enum Saved {
    Ready(Contents),
    /// Why there can be no other layouts.
    Refused(String),
}

#[derive(Serialize, Deserialize)]
struct Contents {
    link: Link,
    family: Family,
    version: String,
    /// For GNU ld.
    script: Option<Script>,
    /// Whether the link done again gave the artifact, byte by byte.
    exact: bool,
}

/// How a kit moves code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// LLD's `--shuffle-sections`, and gaps as sections of an added object.
    ShuffledSections,
    /// GNU ld's own script with the sections of code in another order, and gaps.
    OrderedScript,
}

/// The means to link a built program again.
pub struct Kit {
    /// `builds/<key>`, absolute.
    build: PathBuf,
    bin: String,
    contents: Contents,
}

impl Kit {
    /// The kit of an artifact in the build cache.
    ///
    /// # Errors
    /// [`LayoutError::NoKit`] if it has none; the error says why.
    pub fn of(binary: &Path) -> Result<Self, LayoutError> {
        let none = |why: &str| LayoutError::NoKit {
            binary: binary.to_owned(),
            why: why.to_owned(),
        };
        let binary = std::path::absolute(binary).map_err(LayoutError::io(binary))?;
        let (Some(build), Some(bin)) = (binary.parent(), binary.file_name()) else {
            return Err(none("it is no file of the build cache"));
        };
        let text = fs::read(build.join(FOLDER).join(FILE)).map_err(|_| {
            none(
                "karat did not see it being linked (it is an existing binary, or was built by \
                 an older karat: delete its folder in the cache to build it again)",
            )
        })?;
        match serde_json::from_slice(&text) {
            Ok(Saved::Ready(contents)) => Ok(Self {
                build: build.to_owned(),
                bin: bin.to_string_lossy().into_owned(),
                contents,
            }),
            Ok(Saved::Refused(why)) => Err(none(&why)),
            Err(e) => Err(none(&format!(
                "its kit cannot be read ({e}); delete its folder in the cache to build it again"
            ))),
        }
    }

    /// How it moves code.
    #[must_use]
    pub fn method(&self) -> Method {
        match self.contents.family {
            Family::Lld => Method::ShuffledSections,
            Family::Gnu => Method::OrderedScript,
        }
    }

    /// The linker of the artifact and of all its layouts, as it calls itself.
    #[must_use]
    pub fn linker(&self) -> &str {
        &self.contents.version
    }

    /// Whether the noted link, done again, gave the artifact byte by byte. If
    /// not, only [`moved`](super::moved) can tell that the code is the same.
    #[must_use]
    pub fn exact(&self) -> bool {
        self.contents.exact
    }

    /// The program in the layout `seed`, linked now or before. The same seed
    /// gives the same bytes; layout 0 is the artifact itself.
    ///
    /// # Errors
    /// [`LayoutError::Link`] when the linker fails, [`LayoutError::Io`] for files.
    pub fn link(&self, seed: u64, interrupt: &AtomicBool) -> Result<PathBuf, LayoutError> {
        let folder = self.build.join("layouts").join(format!("{seed:016x}"));
        let place = folder.join(&self.bin);
        let sum = folder.join("sha256");
        // A damaged layout would be measured as if it were one.
        if let (Ok(known), Ok(now)) = (fs::read_to_string(&sum), hash_file(&place))
            && known == now
        {
            return Ok(place);
        }
        fs::create_dir_all(&folder).map_err(LayoutError::io(&folder))?;
        let part = tempfile::Builder::new()
            .prefix(".part-")
            .tempdir_in(&self.build)
            .map_err(LayoutError::io(&self.build))?;
        let made = part.path().join(&self.bin);
        if seed == 0 {
            let artifact = self.build.join(&self.bin);
            fs::hard_link(&artifact, &made).map_err(LayoutError::io(&artifact))?;
        } else {
            self.link_to(seed, part.path(), &made, interrupt)?;
        }
        let hash = hash_file(&made).map_err(LayoutError::io(&made))?;
        fs::rename(&made, &place).map_err(LayoutError::io(&place))?;
        fs::write(&sum, hash).map_err(LayoutError::io(&sum))?;
        Ok(place)
    }

    fn link_to(
        &self,
        seed: u64,
        part: &Path,
        output: &Path,
        interrupt: &AtomicBool,
    ) -> Result<(), LayoutError> {
        let extra = match &self.contents.script {
            None => {
                let gaps = part.join("gaps.o");
                linker::lld_options(seed, &gaps, &gaps.to_string_lossy())
                    .map_err(LayoutError::io(&gaps))?
            }
            Some(script) => {
                let path = part.join("script.ld");
                fs::write(&path, script.draw(seed)).map_err(LayoutError::io(&path))?;
                vec!["-T".to_owned(), path.to_string_lossy().into_owned()]
            }
        };
        let dir = self.build.join(FOLDER);
        again(&self.contents.link, &dir, &extra, output, interrupt)
            .map(drop)
            .map_err(|failure| match failure {
                Failure::Interrupted => LayoutError::Interrupted,
                Failure::Because(what) => LayoutError::Link {
                    seed,
                    command: shown(&self.contents.link, &extra, output),
                    dir,
                    what,
                },
            })
    }
}

enum Failure {
    Interrupted,
    Because(String),
}

impl From<String> for Failure {
    fn from(what: String) -> Self {
        Self::Because(what)
    }
}

/// Makes the kit of `artifact` in `build`, from the notes in `notes`. What
/// cannot be linked again is no failed build: the kit then says why.
///
/// # Errors
/// Files that cannot be written.
pub(crate) fn make(
    notes: &Path,
    artifact: &Path,
    build: &Path,
    interrupt: &AtomicBool,
) -> io::Result<()> {
    let dir = std::path::absolute(build.join(FOLDER))?;
    fs::create_dir_all(&dir)?;
    let saved = match try_make(notes, artifact, &dir, interrupt) {
        Ok(contents) => Saved::Ready(contents),
        Err(failure) => {
            // Files that nothing will use.
            fs::remove_dir_all(&dir)?;
            fs::create_dir_all(&dir)?;
            match failure {
                // Not final: the next run shall try again.
                Failure::Interrupted => return fs::remove_dir(&dir),
                Failure::Because(why) => Saved::Refused(why),
            }
        }
    };
    fs::write(dir.join(FILE), serde_json::to_vec_pretty(&saved)?)
}

fn try_make(
    notes: &Path,
    artifact: &Path,
    dir: &Path,
    interrupt: &AtomicBool,
) -> Result<Contents, Failure> {
    let mut link = find(notes, artifact, dir)?;
    let (family, version) = linker::identify(&link)?;
    refuse_what_cannot_be_moved(&link, family)?;
    // Outside of the kit: the folder may be moved, and a link must not see this.
    let scratch = tempfile::tempdir_in(dir).map_err(|e| e.to_string())?;
    let output = scratch.path().join("again");
    let rule = scratch.path().join("rule");
    let mut extra = vec![format!("--dependency-file={}", rule.display())];
    if family == Family::Gnu {
        extra.push("--verbose".to_owned());
        extra.push(format!("-Map={}", scratch.path().join(MAP).display()));
    }
    let link_again = |link: &Link| {
        again(link, dir, &extra, &output, interrupt).map_err(|failure| match failure {
            Failure::Interrupted => Failure::Interrupted,
            Failure::Because(what) => Failure::Because(format!(
                "its link cannot be done again: {what}\n  command: {}",
                shown(link, &extra, &output)
            )),
        })
    };
    let mut run = link_again(&link)?;
    let rule = fs::read_to_string(&rule).unwrap_or_default();
    if bring_libraries(&args::dependencies(&rule, dir), dir)? {
        link.args.insert(0, format!("-L{LIBRARIES}"));
        run = link_again(&link)?;
    }
    let script = match family {
        Family::Lld => None,
        Family::Gnu => {
            let map = fs::read(scratch.path().join(MAP)).map_err(|e| e.to_string())?;
            let verbose = String::from_utf8_lossy(&run.stdout);
            Some(Script::read(&verbose, &String::from_utf8_lossy(&map), dir)?)
        }
    };
    let read = |path: &Path| fs::read(path).map_err(|e| format!("{}: {e}", path.display()));
    let (now, then) = (read(&output)?, read(artifact)?);
    let exact = now == then;
    if !exact {
        // Link-time optimisation notes in the debug information where it ran.
        // But if code differs, the artifact is not what this link makes.
        same_places(&then, &now).map_err(|what| {
            format!(
                "its link, done again, gives another program ({what}): it was changed after the \
                 link (strip, objcopy), or its compiler does not give the same result twice; let \
                 the artifact be what the linker wrote"
            )
        })?;
    }
    Ok(Contents {
        exact,
        link,
        family,
        version,
        script,
    })
}

/// The link that made `artifact`, its kept files copied to `dir`; other notes
/// are deleted.
fn find(notes: &Path, artifact: &Path, dir: &Path) -> Result<Link, String> {
    let problem = fs::read_to_string(notes.join(record::PROBLEM));
    let _ = fs::remove_file(notes.join(record::PROBLEM));
    let all = record::all(notes);
    let seen = all.len();
    let id = |path: &Path| fs::metadata(path).ok().map(|m| (m.dev(), m.ino()));
    let hash = hash_file(artifact).map_err(|e| e.to_string())?;
    let made = |link: &Link| {
        let same_size = |m: fs::Metadata| fs::metadata(artifact).is_ok_and(|a| a.len() == m.len());
        id(&link.output) == id(artifact)
            || fs::metadata(&link.output).is_ok_and(same_size)
                && hash_file(&link.output).is_ok_and(|h| h == hash)
    };
    let mut found = None;
    for (place, link) in all {
        if found.is_none() && made(&link) {
            found = Some((place, link));
        } else {
            let _ = fs::remove_dir_all(place);
        }
    }
    let Some((place, link)) = found else {
        return Err(if let Ok(problem) = problem {
            format!("a link could not be noted: {problem}")
        } else if seen == 0 {
            "the build started no linker that karat could stand in for (found by PATH or \
             COMPILER_PATH under the name ld, ld.lld or the like); do not name the compiler or \
             linker by an absolute path"
                .to_owned()
        } else {
            format!(
                "the build linked {seen} files, but none of them is the artifact: it was changed \
                 after the link (strip, objcopy), or linked out of karat's sight; let the \
                 artifact be what the linker wrote"
            )
        });
    };
    let copy = || -> io::Result<()> {
        fs::create_dir_all(dir.join(INPUTS))?;
        for entry in fs::read_dir(place.join(INPUTS))? {
            let entry = entry?;
            fs::copy(entry.path(), dir.join(INPUTS).join(entry.file_name()))?;
        }
        Ok(())
    };
    copy().map_err(|e| format!("{}: {e}", dir.display()))?;
    Ok(link)
}

fn refuse_what_cannot_be_moved(link: &Link, family: Family) -> Result<(), String> {
    let scripted = link.args.iter().any(|a| {
        a == "-T"
            || a == "-dT"
            || a.starts_with("--script")
            || a.starts_with("-T") && a.len() > 2
            // Addresses of sections, not scripts.
            && !["-Ttext", "-Tdata", "-Tbss", "-Trodata"].iter().any(|o| a.starts_with(o))
    });
    if scripted && family == Family::Gnu {
        return Err(
            "it is linked by GNU ld with a linker script of its own, which says where code goes; \
             link with LLD (-fuse-ld=lld)"
                .into(),
        );
    }
    if link.args.iter().any(|a| a == "-r" || a == "--relocatable") {
        return Err("it is an object file, not a program".into());
    }
    Ok(())
}

/// Copies libraries that are neither in the kit nor installed: whether there
/// were any.
fn bring_libraries(files: &[PathBuf], dir: &Path) -> Result<bool, String> {
    let mut any = false;
    for file in files {
        // What the linker's plugin made is gone already, and is made again.
        if record::is_installed(file) || file.starts_with(dir) || !file.is_file() {
            continue;
        }
        let folder = dir.join(LIBRARIES);
        let name = file.file_name().unwrap_or_default();
        fs::create_dir_all(&folder)
            .and_then(|()| fs::copy(file, folder.join(name)))
            .map_err(|e| format!("{}: {e}", file.display()))?;
        any = true;
    }
    Ok(any)
}

/// Does the link again in the kit's folder.
fn again(
    link: &Link,
    dir: &Path,
    extra: &[String],
    output: &Path,
    interrupt: &AtomicBool,
) -> Result<Finished, Failure> {
    let mut command = Command::new(&link.program);
    command
        .args(&link.args)
        .args(extra)
        .arg("-o")
        .arg(output)
        .current_dir(dir)
        .env_clear()
        .envs(link.env.iter().map(|(k, v)| (k, v)));
    let run = karat_process::run(&mut command, LONGEST, interrupt)
        .map_err(|e| format!("cannot start {}: {e}", link.program.display()))?;
    match run.ending {
        Ending::Exit(0) => Ok(run),
        Ending::Interrupted => Err(Failure::Interrupted),
        ending => Err(Failure::Because(format!(
            "{ending}\n{}",
            run.last_lines(10)
        ))),
    }
}

fn shown(link: &Link, extra: &[String], output: &Path) -> String {
    let words = link
        .args
        .iter()
        .chain(extra)
        .map(|w| karat_process::quote(w));
    let words: Vec<String> = words.collect();
    let (program, output) = (link.program.display(), output.display());
    format!("{program} {} -o {output}", words.join(" "))
}
