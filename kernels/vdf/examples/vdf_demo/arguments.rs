//! The command line.

use std::path::PathBuf;

const USAGE: &str = "usage: vdf_demo prove --seed HEX --bits N --iterations T [--threads N] \
                     [--checkpoints FILE], or vdf_demo verify --seed HEX --bits N \
                     --iterations T PROOF";

pub enum Command {
    Prove,
    /// With the bytes of the proof.
    Verify(Vec<u8>),
}

pub struct Arguments {
    pub command: Command,
    pub seed: Vec<u8>,
    pub bits: usize,
    pub iterations: u64,
    pub threads: usize,
    pub checkpoints: Option<PathBuf>,
}

impl Arguments {
    pub fn read(mut words: impl Iterator<Item = String>) -> Result<Self, String> {
        let command = words.next().ok_or(USAGE)?;
        let (mut seed, mut bits, mut iterations) = (None, None, None);
        let (mut threads, mut checkpoints, mut proof) = (1, None, None);
        while let Some(word) = words.next() {
            let mut value = || words.next().ok_or(format!("{word} needs a value"));
            match word.as_str() {
                "--seed" => seed = Some(bytes("--seed", &value()?)?),
                "--bits" => bits = Some(number("--bits", &value()?)?),
                "--iterations" => iterations = Some(number("--iterations", &value()?)?),
                "--threads" => threads = number("--threads", &value()?)? as usize,
                "--checkpoints" => checkpoints = Some(PathBuf::from(value()?)),
                _ if !word.starts_with('-') && proof.is_none() => {
                    // A proof that is no hexadecimal number is one that does not hold.
                    proof = Some(bytes("PROOF", &word).unwrap_or_default());
                }
                _ => return Err(format!("{word} is unknown; {USAGE}")),
            }
        }
        let command = match (command.as_str(), proof) {
            ("prove", None) => Command::Prove,
            ("verify", Some(proof)) => Command::Verify(proof),
            _ => return Err(USAGE.into()),
        };
        Ok(Self {
            command,
            seed: seed.ok_or(USAGE)?,
            bits: bits.ok_or(USAGE)? as usize,
            iterations: iterations.ok_or(USAGE)?,
            threads,
            checkpoints,
        })
    }
}

fn number(name: &str, text: &str) -> Result<u64, String> {
    text.parse()
        .map_err(|_| format!("{name} {text} is not a number"))
}

fn bytes(name: &str, text: &str) -> Result<Vec<u8>, String> {
    let digit = |b: u8| char::from(b).to_digit(16).map(|d| d as u8);
    let pair = |pair: &[u8]| match pair {
        [high, low] => Some(digit(*high)? << 4 | digit(*low)?),
        _ => None,
    };
    let bytes: Option<Vec<u8>> = text.as_bytes().chunks(2).map(pair).collect();
    bytes.ok_or_else(|| format!("{name} is not an even number of hexadecimal digits"))
}
