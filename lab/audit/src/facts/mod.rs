//! What a file says of itself: who built it and for what, what guards it, and which
//! symbols it exports.
//!
//! These are facts of headers, notes and debug information. Code is not looked at.

mod elf;
mod exports;
mod go;
mod macho;
mod pe;
mod tools;

use karat_binary::BinaryError;
use karat_binary::debug::producers;
use karat_binary::read::image::Image;
use karat_model::facts::{Declared, FileFacts, Grade, Hardening, Tool};

/// The facts of a linked file. None for a file that holds others, and for objects, of
/// which the linker has not decided them yet.
///
/// # Errors
/// As [`Image::parse`]. Damage behind the headers takes away only what hangs on it.
pub fn facts(bytes: &[u8]) -> Result<Option<FileFacts>, BinaryError> {
    if karat_binary::read::format::is_container(bytes) {
        return Ok(None);
    }
    let image = Image::parse(bytes)?;
    if image.is_relocatable() {
        return Ok(None);
    }
    let mut out = FileFacts::default();
    match &image.file {
        object::File::Elf64(file) => elf::add(file, &mut out),
        object::File::Pe64(file) => pe::add(file, &mut out),
        object::File::MachO64(file) => macho::add(file, &mut out),
        _ => return Ok(None),
    }
    go::add(&image, &mut out);
    let producers = producers::read(&image).unwrap_or_default();
    tools::add_producers(&producers, &mut out);
    out.exports = Some(exports::count(&image));
    Ok(Some(out))
}

pub use exports::changed;

/// A guard and its state.
fn guard(out: &mut FileFacts, name: &str, state: &str, grade: Grade) {
    out.hardening.push(Hardening {
        name: name.into(),
        state: state.into(),
        grade,
    });
}

/// A guard that is there or not.
fn guarded(out: &mut FileFacts, name: &str, is_there: bool) {
    match is_there {
        true => guard(out, name, "yes", Grade::Good),
        false => guard(out, name, "no", Grade::Weak),
    }
}

fn declare(out: &mut FileFacts, what: &str, value: impl Into<String>) {
    out.declares.push(Declared {
        what: what.into(),
        value: value.into(),
    });
}

fn tool(out: &mut FileFacts, name: impl Into<String>, from: &str) {
    let name = name.into();
    let known = |tool: &Tool| tool.name == name && tool.from == from;
    if !name.is_empty() && !out.tools.iter().any(known) {
        out.tools.push(Tool {
            name,
            from: from.into(),
            ..Tool::default()
        });
    }
}
