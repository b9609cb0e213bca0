//! The two streams: results to stdout, everything else to stderr.

use crate::args::Color;
use anstyle::{AnsiColor, Style};
use std::io::{self, Write};

/// Obeys `--color`; `auto` leaves it to NO_COLOR, CLICOLOR_FORCE and the
/// terminal.
pub fn choose_color(color: Color) {
    let choice = match color {
        Color::Auto => anstream::ColorChoice::Auto,
        Color::Always => anstream::ColorChoice::Always,
        Color::Never => anstream::ColorChoice::Never,
    };
    choice.write_global();
}

/// Whether stdout gets colour.
#[must_use]
pub fn color_on_stdout() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// Whether stderr gets colour.
#[must_use]
pub fn color_on_stderr() -> bool {
    anstream::AutoStream::choice(&io::stderr()) != anstream::ColorChoice::Never
}

/// Columns to fill: the terminal's, or 100 where there is none.
#[must_use]
pub fn width() -> usize {
    terminal_size::terminal_size_of(io::stdout()).map_or(100, |(w, _)| usize::from(w.0))
}

/// Writes a result to stdout.
///
/// # Errors
/// When stdout cannot be written.
pub fn result(text: &str) -> io::Result<()> {
    let mut out = anstream::stdout().lock();
    let end = if text.ends_with('\n') { "" } else { "\n" };
    let written = out
        .write_all(text.as_bytes())
        .and_then(|()| out.write_all(end.as_bytes()))
        .and_then(|()| out.flush());
    // The kind stays: a closed pipe is no error to `main`.
    written.map_err(|e| io::Error::new(e.kind(), format!("cannot write to stdout: {e}")))
}

/// Says something that is not the result.
pub fn note(text: &str) {
    let _ = writeln!(anstream::stderr(), "{text}");
}

/// Says that something went wrong.
pub fn error(text: &str) {
    let style = Style::new().bold().fg_color(Some(AnsiColor::Red.into()));
    let _ = writeln!(anstream::stderr(), "{style}error{style:#}: {text}");
}
