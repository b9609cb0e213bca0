//! One self-contained page: nothing is loaded, and everything can be read without
//! the script, which only sorts tables.

mod blocks;
mod page;
mod table;

pub use page::render;

use crate::wording::Tone;

/// The class of a tone.
pub const fn tone(tone: Tone) -> &'static str {
    match tone {
        Tone::Good => "good",
        Tone::Bad => "bad",
        Tone::Even => "even",
        Tone::Open => "open",
    }
}
