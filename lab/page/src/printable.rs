//! Text that is safe to show.

/// Text without characters that are not there to be read: controls, which
/// could drive a terminal, and overrides of direction, which could make a name
/// look like another.
pub fn printable(text: &str) -> String {
    text.chars()
        .filter(|c| !c.is_control() || matches!(c, '\n' | '\t'))
        .filter(|c| !matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_lose_their_power() {
        assert_eq!(printable("a\u{1b}[31mb\nc"), "a[31mb\nc");
    }
}
