//! The command line.

use karat_erasure::Code;
use std::ffi::OsString;
use std::path::PathBuf;

/// A code and its numbers of shards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape {
    pub code: Code,
    pub data: usize,
    pub parity: usize,
}

/// What `damage` is to do.
#[derive(Debug)]
pub struct Damage {
    /// Shards to remove.
    pub lose: usize,
    /// Shards to change.
    pub corrupt: usize,
    /// Decides which.
    pub seed: u64,
}

/// What is asked for.
#[derive(Debug)]
pub enum Arguments {
    Split(Shape, PathBuf, PathBuf),
    Damage(Damage, PathBuf),
    Rebuild(PathBuf, PathBuf),
    Parity(Shape, PathBuf),
}

impl Arguments {
    pub fn read(mut args: impl Iterator<Item = OsString>) -> Result<Self, String> {
        let command = args.next().ok_or("what is to be done?")?;
        let (mut options, mut paths) = (Vec::new(), Vec::new());
        while let Some(arg) = args.next() {
            match arg.to_str().and_then(|a| a.strip_prefix("--")) {
                Some(name) => {
                    let value = args.next().ok_or(format!("--{name} wants a value"))?;
                    options.push((name.to_owned(), value.to_string_lossy().into_owned()));
                }
                None => paths.push(PathBuf::from(arg)),
            }
        }
        let mut options = Options(options);
        let read = match command.to_string_lossy().as_ref() {
            "split" => {
                let [file, folder] = named(paths, ["FILE", "FOLDER"])?;
                Self::Split(options.shape()?, file, folder)
            }
            "damage" => {
                let [folder] = named(paths, ["FOLDER"])?;
                let damage = Damage {
                    lose: options.number("lose")?.unwrap_or(1),
                    corrupt: options.number("corrupt")?.unwrap_or(0),
                    seed: options.number("seed")?.unwrap_or(1),
                };
                Self::Damage(damage, folder)
            }
            "rebuild" => {
                let [folder, file] = named(paths, ["FOLDER", "FILE"])?;
                Self::Rebuild(folder, file)
            }
            "parity" => {
                let [file] = named(paths, ["FILE"])?;
                Self::Parity(options.shape()?, file)
            }
            other => return Err(format!("no command `{other}`")),
        };
        match options.0.first() {
            None => Ok(read),
            Some((name, _)) => Err(format!(
                "this command has no option --{name}, or it is there twice"
            )),
        }
    }
}

/// As many paths as have names.
fn named<const N: usize>(paths: Vec<PathBuf>, names: [&str; N]) -> Result<[PathBuf; N], String> {
    let count = paths.len();
    let wrong = |_| format!("{count} paths are given; wanted: {}", names.join(" "));
    paths.try_into().map_err(wrong)
}

/// Options that nobody has taken yet.
struct Options(Vec<(String, String)>);

impl Options {
    fn take(&mut self, name: &str) -> Option<String> {
        let at = self.0.iter().position(|(n, _)| n == name)?;
        Some(self.0.remove(at).1)
    }

    fn number<N: std::str::FromStr>(&mut self, name: &str) -> Result<Option<N>, String> {
        let Some(text) = self.take(name) else {
            return Ok(None);
        };
        let wrong = |_| format!("--{name} wants a number, not `{text}`");
        text.parse().map(Some).map_err(wrong)
    }

    fn shape(&mut self) -> Result<Shape, String> {
        let name = self.take("code").ok_or("which --code? A, B, C or D")?;
        let code = (Code::ALL.into_iter()).find(|c| c.to_string().eq_ignore_ascii_case(&name));
        Ok(Shape {
            code: code.ok_or(format!("no code `{name}`; there are A, B, C and D"))?,
            data: self.number("data")?.ok_or("how many shards of --data?")?,
            parity: self
                .number("parity")?
                .ok_or("how many shards of --parity?")?,
        })
    }
}
