//! Namespaced Merkle trees over files:
//!
//! ```text
//! nmt_demo root LEAF…                          the tree and its root
//! nmt_demo prove NAMESPACE LEAF…               a proof of all leaves of a namespace
//! nmt_demo verify ROOT PROOF NAMESPACE FILE…   whether these are all of them
//! nmt_demo dah FILE                            the data root of a square
//! ```
//!
//! `LEAF` is `NAMESPACE=FILE`; a namespace is up to 29 bytes in hexadecimal, zeros are put
//! in front. Leaves come in the order of their namespaces. A proof is in protobuf, in
//! hexadecimal. The file of a square holds k · k shares of 512 bytes, row by row.
//!
//! `cargo run --release -p karat-nmt --example nmt_demo -- root 01=README.md 02=Cargo.toml`

use karat_nmt::eds::{Leopard, NAMESPACE, Square};
use karat_nmt::{Format, Leaf, Proof, Tree, Verifier};
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::ExitCode;

const USAGE: &str = "usage: nmt_demo root NAMESPACE=FILE...
       nmt_demo prove NAMESPACE NAMESPACE=FILE...
       nmt_demo verify ROOT PROOF NAMESPACE [FILE]...
       nmt_demo dah FILE
Namespaces, root and proof are in hexadecimal.";

/// Bytes of a share of Celestia's squares.
const SHARE: usize = 512;

/// Nodes of a tree that are printed; of a larger one only the root.
const PRINTED: usize = 64;

const FORMAT: Format = Format::CELESTIA;

/// Why it ends: what the user wrote, or what went wrong with it.
enum Wrong {
    Usage(String),
    Failure(String),
}

fn main() -> ExitCode {
    let kernels = karat_nmt::kernels().iter().chain(karat_hash::kernels());
    let kernels: Vec<_> = kernels
        .copied()
        .chain(karat_erasure::kernels().iter().copied())
        .collect();
    let arguments: Result<Vec<String>, _> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.into_string())
        .collect();
    let result = match (karat_cpu::check_force(&kernels), arguments) {
        (Err(error), _) => Err(Wrong::Usage(error.to_string())),
        (_, Err(_)) => Err(Wrong::Usage("an argument is not in UTF-8".to_owned())),
        (Ok(()), Ok(arguments)) => {
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            match &arguments[..] {
                all if all.iter().any(|one| matches!(*one, "--help" | "-h")) => {
                    Ok(format!("{USAGE}\n"))
                }
                ["root", leaves @ ..] => root(leaves),
                ["prove", namespace, leaves @ ..] => prove(namespace, leaves),
                ["verify", root, proof, namespace, files @ ..] => {
                    verify(root, proof, namespace, files)
                }
                ["dah", file] => dah(file),
                [] => Err(Wrong::Usage("what is to be done?".to_owned())),
                [command @ ("prove" | "verify" | "dah"), ..] => {
                    Err(Wrong::Usage(format!("{command} wants other arguments")))
                }
                [command, ..] => Err(Wrong::Usage(format!("no command `{command}`"))),
            }
        }
    };
    match result {
        Ok(text) => match std::io::stdout().write_all(text.as_bytes()) {
            Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
                eprintln!("nmt_demo: cannot write to stdout: {error}");
                ExitCode::FAILURE
            }
            _ => ExitCode::SUCCESS,
        },
        Err(Wrong::Failure(reason)) => {
            eprintln!("nmt_demo: {reason}");
            ExitCode::FAILURE
        }
        Err(Wrong::Usage(reason)) => {
            eprintln!("nmt_demo: {reason}\n{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn root(leaves: &[&str]) -> Result<String, Wrong> {
    let (tree, names) = tree(leaves)?;
    let mut text = String::new();
    if tree.len() <= PRINTED && !tree.is_empty() {
        print(&tree, 0..tree.len(), 0, &names, &mut text)?;
    }
    Ok(text + &format!("root {}\n", hex(tree.root())))
}

/// The node above some leaves, and what is below it.
fn print(
    tree: &Tree,
    leaves: std::ops::Range<usize>,
    depth: usize,
    names: &[&str],
    text: &mut String,
) -> Result<(), Wrong> {
    let count = leaves.len();
    let indent = "  ".repeat(depth);
    // A node at the right edge that is not complete has no entry of its own.
    let node = match tree.subtree_root(leaves.clone()) {
        Ok(node) => format!("{} ", short(&node)),
        Err(_) if depth == 0 => format!("{} ", short(tree.root())),
        Err(_) => String::new(),
    };
    if count == 1 {
        let _ = writeln!(text, "{indent}{node}{}", names[leaves.start]);
        return Ok(());
    }
    let _ = writeln!(
        text,
        "{indent}{node}leaves {}..{}",
        leaves.start, leaves.end
    );
    let middle = leaves.start + count.next_power_of_two() / 2;
    print(tree, leaves.start..middle, depth + 1, names, text)?;
    print(tree, middle..leaves.end, depth + 1, names, text)
}

/// A node in short: namespaces without zeros in front, and the beginning of the digest.
fn short(node: &[u8]) -> String {
    let name = |namespace: &[u8]| {
        let text = hex(namespace);
        let text = text.trim_start_matches('0');
        if text.is_empty() { "0" } else { text }.to_owned()
    };
    let (min, max) = (name(FORMAT.min(node)), name(FORMAT.max(node)));
    format!("{min}..{max} {}", hex(&node[2 * NAMESPACE..][..8]))
}

fn prove(namespace: &str, leaves: &[&str]) -> Result<String, Wrong> {
    let (tree, _) = tree(leaves)?;
    let proof = tree.prove_namespace(&parse_namespace(namespace)?);
    let proof = proof.map_err(|error| Wrong::Failure(error.to_string()))?;
    let what = match (proof.is_empty(), proof.is_of_absence()) {
        (true, _) => "absent: outside of the root's range".to_owned(),
        (_, true) => format!("absent: leaf {} is above it", proof.range().start),
        _ => format!("leaves {}..{}", proof.range().start, proof.range().end),
    };
    let (root, bytes) = (hex(tree.root()), hex(&proof.to_protobuf()));
    Ok(format!("{what}\nroot {root}\nproof {bytes}\n"))
}

fn verify(root: &str, proof: &str, namespace: &str, files: &[&str]) -> Result<String, Wrong> {
    let failed = |error: &dyn std::fmt::Display| Wrong::Failure(format!("not proved: {error}"));
    let (root, namespace) = (parse_hex(root)?, parse_namespace(namespace)?);
    let proof = Proof::from_protobuf(&parse_hex(proof)?).map_err(|error| failed(&error))?;
    let data = files.iter().map(|file| read(file));
    let data: Vec<Vec<u8>> = data.collect::<Result<_, _>>()?;
    let data: Vec<&[u8]> = data.iter().map(Vec::as_slice).collect();
    let verifier: Verifier<'_> = Verifier::new(FORMAT, &root).map_err(|error| failed(&error))?;
    (verifier.namespace(&proof, &namespace, &data)).map_err(|error| failed(&error))?;
    Ok(match data.len() {
        0 => "proved: the namespace has no leaf\n".to_owned(),
        1 => "proved: this is the only leaf of the namespace\n".to_owned(),
        count => format!("proved: these {count} are all leaves of the namespace\n"),
    })
}

fn dah(file: &str) -> Result<String, Wrong> {
    let shares = read(file)?;
    let k = (shares.len() / SHARE).isqrt();
    if k * k * SHARE != shares.len() {
        let length = shares.len();
        return Err(Wrong::Failure(format!(
            "{file} has {length} bytes, which are not k · k shares of {SHARE}: a square has 1, 4, 16, \
             64 … shares"
        )));
    }
    let failed = |error: karat_nmt::eds::SquareError| Wrong::Failure(format!("{file}: {error}"));
    let mut code = Leopard::new(k).map_err(failed)?;
    let square = Square::extend(&shares, k, &mut code).map_err(failed)?;
    let roots = square.roots().map_err(failed)?;
    Ok(format!("{}\n", hex(&roots.data_root())))
}

/// The tree of leaves on the command line, and their files.
fn tree<'a>(leaves: &[&'a str]) -> Result<(Tree, Vec<&'a str>), Wrong> {
    let (mut owned, mut names) = (Vec::new(), Vec::new());
    for leaf in leaves {
        let parts = leaf.split_once('=');
        let parts = parts.ok_or_else(|| Wrong::Usage(format!("{leaf} is not NAMESPACE=FILE")));
        let (namespace, file) = parts?;
        owned.push((parse_namespace(namespace)?, read(file)?));
        names.push(file);
    }
    let leaves: Vec<Leaf<'_>> = owned.iter().map(|(n, d)| Leaf::new(n, d)).collect();
    let tree = Tree::of(FORMAT, &leaves).map_err(|error| Wrong::Failure(error.to_string()))?;
    Ok((tree, names))
}

fn read(file: &str) -> Result<Vec<u8>, Wrong> {
    std::fs::read(file).map_err(|error| Wrong::Failure(format!("cannot read {file}: {error}")))
}

fn parse_namespace(text: &str) -> Result<Vec<u8>, Wrong> {
    if text.is_empty() {
        return Err(Wrong::Usage("a namespace is empty".to_owned()));
    }
    let even = if text.len() % 2 == 1 {
        format!("0{text}")
    } else {
        text.to_owned()
    };
    let bytes = parse_hex(&even)?;
    let zeros = NAMESPACE.checked_sub(bytes.len());
    let zeros = zeros.ok_or_else(|| Wrong::Usage(format!("{text} has more than 29 bytes")))?;
    Ok([vec![0; zeros], bytes].concat())
}

fn parse_hex(text: &str) -> Result<Vec<u8>, Wrong> {
    let wrong = || Wrong::Usage(format!("`{text}` is not in hexadecimal"));
    if !text.len().is_multiple_of(2) || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
        return Err(wrong());
    }
    let pairs = (0..text.len()).step_by(2);
    pairs
        .map(|i| u8::from_str_radix(&text[i..i + 2], 16).map_err(|_| wrong()))
        .collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
