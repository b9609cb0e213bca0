//! Finds the logs of a side and reads them.

use super::collect::Side;
use super::normalise::Normaliser;
use super::same_run;
use karat_model::compare::LogFile;
use karat_readers::criterion;
use karat_readers::log::{Readers, read};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

/// Bytes that are read at once.
const PIECE: usize = 256 << 10;

/// Progress is told after so many bytes.
const STEP: u64 = 8 << 20;

/// Why logs could not be compared.
#[derive(Debug, thiserror::Error)]
pub enum CompareError {
    /// There is no such file.
    #[error("no log at {}: expected a file, a folder of logs, or - for stdin", .0.display())]
    Missing(PathBuf),
    /// A folder without files.
    #[error("no file in {}: expected the logs of one or several runs", .0.display())]
    Empty(PathBuf),
    /// A device, which may never end.
    #[error("{} is a device, which may never end: expected a file or a pipe", .0.display())]
    Device(PathBuf),
    /// stdin can be read once.
    #[error("- (stdin) can be given once only, for one side")]
    StdinTwice,
    /// A log cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The log.
        path: PathBuf,
        /// What happened.
        source: io::Error,
    },
}

/// The files that paths stand for: a folder for all files in it and below it, by
/// name, without hidden ones; `-` for stdin. A folder of criterion's is one log, and is
/// given as it is; `FOLDER:NAME` is a run in it that `--save-baseline` named.
///
/// # Errors
/// When a path is not there, a folder has no file, or cannot be listed.
pub fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, CompareError> {
    let mut out = Vec::new();
    for path in paths {
        if path.is_dir() {
            let before = out.len();
            if let Some(root) = criterion::root_of(path) {
                out.push(root);
                continue;
            }
            below(path, &mut out).map_err(|source| CompareError::Read {
                path: path.clone(),
                source,
            })?;
            if out.len() == before {
                return Err(CompareError::Empty(path.clone()));
            }
        } else if is_stdin(path) || path.exists() {
            if is_device(path) {
                return Err(CompareError::Device(path.clone()));
            }
            out.push(path.clone());
        } else if let Some((folder, name)) = kept(path) {
            let roots = files(&[folder])?;
            if !roots.iter().all(|root| root.is_dir()) {
                return Err(CompareError::Missing(path.clone()));
            }
            let named = |root: &PathBuf| PathBuf::from(format!("{}:{name}", root.display()));
            out.extend(roots.iter().map(named));
        } else {
            return Err(CompareError::Missing(path.clone()));
        }
    }
    Ok(out)
}

/// A folder of criterion's and the run in it that `FOLDER:NAME` stands for.
fn kept(path: &Path) -> Option<(PathBuf, String)> {
    let (folder, name) = path.to_str()?.rsplit_once(':')?;
    let sound = !name.is_empty() && !name.contains('/') && !path.exists();
    (sound && Path::new(folder).is_dir()).then(|| (folder.into(), name.to_owned()))
}

/// Whether a path stands for stdin.
#[must_use]
pub fn is_stdin(path: &Path) -> bool {
    path == Path::new("-")
}

/// `/dev/null` is one that ends.
fn is_device(path: &Path) -> bool {
    let kind = fs::metadata(path).map(|data| data.file_type());
    path != Path::new("/dev/null") && kind.is_ok_and(|kind| kind.is_char_device())
}

fn below(folder: &Path, out: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries: Vec<PathBuf> = fs::read_dir(folder)?
        .map(|entry| entry.map(|e| e.path()))
        .collect::<io::Result<_>>()?;
    entries.sort();
    for path in entries {
        let name = path.file_name().map(|n| n.to_string_lossy().into_owned());
        if name.is_some_and(|n| n.starts_with('.')) {
            continue;
        }
        // Links to folders may go round in circles.
        if path.is_dir() && !path.is_symlink() {
            match criterion::root_of(&path) {
                Some(root) if out.contains(&root) => {}
                Some(root) => out.push(root),
                None => below(&path, out)?,
            }
        } else if path.is_file() {
            out.push(path);
        }
    }
    Ok(())
}

/// Reads all logs of a side. `progress` gets bytes as they are read.
///
/// # Errors
/// When a log cannot be opened or read.
pub fn read_side(
    files: &[PathBuf],
    readers: &Readers,
    normaliser: &Normaliser,
    progress: &mut dyn FnMut(u64),
) -> Result<Side, CompareError> {
    let mut side = Side::default();
    let copies = same_run::copies(files);
    for (path, copy) in files.iter().zip(copies) {
        let failed = |source| CompareError::Read {
            path: path.clone(),
            source,
        };
        side.begin(LogFile {
            path: path.display().to_string(),
            ..LogFile::default()
        });
        let folder = match path.is_dir() {
            true => Some((path.clone(), criterion::LAST.to_owned())),
            false => kept(path),
        };
        if let Some((root, name)) = folder {
            read_folder(&mut side, &root, &name, normaliser).map_err(failed)?;
            repeated(&mut side, copy);
            continue;
        }
        let source: Box<dyn Read> = if is_stdin(path) {
            Box::new(io::stdin().lock())
        } else {
            Box::new(File::open(path).map_err(failed)?)
        };
        read_one(&mut side, source, readers, normaliser, progress).map_err(failed)?;
        side.must_be_known();
        repeated(&mut side, copy);
    }
    Ok(side)
}

/// Takes the log that was read last for the same run as another one, if it is.
fn repeated(side: &mut Side, copy: Option<usize>) {
    if let Some(original) = copy.or_else(|| same_run::other_form(side)) {
        side.repeats(original);
    }
}

/// Reads a run in a folder of criterion's into the file that a side began last.
fn read_folder(
    side: &mut Side,
    root: &Path,
    name: &str,
    normaliser: &Normaliser,
) -> io::Result<()> {
    let mut events = Vec::new();
    let bytes = criterion::events(root, name, &mut |event| events.push(event))
        .map_err(|error| io::Error::other(error.to_string()))?;
    for event in events {
        side.add(event, normaliser);
    }
    side.end_folder(bytes, "criterion");
    Ok(())
}

/// Reads one log into the file that a side began last.
///
/// # Errors
/// When it cannot be read.
pub fn read_one(
    side: &mut Side,
    source: impl Read,
    readers: &Readers,
    normaliser: &Normaliser,
    progress: &mut dyn FnMut(u64),
) -> io::Result<()> {
    let mut stream = Counted {
        inner: BufReader::with_capacity(PIECE, source),
        bytes: 0,
        told: 0,
        progress,
    };
    let summary = read(&mut stream, readers, &mut |event| {
        side.add(event, normaliser)
    })?;
    stream.tell();
    side.end(&summary, normaliser);
    Ok(())
}

/// A stream that counts what is taken from it.
struct Counted<'a, R> {
    inner: BufReader<R>,
    bytes: u64,
    told: u64,
    progress: &'a mut dyn FnMut(u64),
}

impl<R> Counted<'_, R> {
    fn count(&mut self, bytes: usize) {
        self.bytes += bytes as u64;
        if self.bytes - self.told >= STEP {
            self.tell();
        }
    }

    fn tell(&mut self) {
        (self.progress)(self.bytes - self.told);
        self.told = self.bytes;
    }
}

impl<R: Read> Read for Counted<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.count(read);
        Ok(read)
    }
}

impl<R: Read> BufRead for Counted<'_, R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.inner.consume(amount);
        self.count(amount);
    }
}
