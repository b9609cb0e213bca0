//! Paths of files, which are long where builds are made by machines.

/// Letters of a path that a page shows.
const LONGEST: usize = 44;

/// A long path of a file without its middle: what tells files apart stands at the ends.
/// None of what is short, or no path.
pub fn without_middle(text: &str) -> Option<String> {
    let count = text.chars().count();
    if count <= LONGEST || !is_path(text) {
        return None;
    }
    let (front, back) = (LONGEST / 3, LONGEST - LONGEST / 3 - 1);
    let head: String = text.chars().take(front).collect();
    let tail: String = text.chars().skip(count - back).collect();
    Some(format!("{head}\u{2026}{tail}"))
}

/// A path, not a command and not the name of a function; Go's begin with a host's name.
fn is_path(text: &str) -> bool {
    let no_path = |c: char| c.is_whitespace() || matches!(c, '(' | '<' | '=' | '`');
    if text.contains(no_path) || text.contains("::") {
        return false;
    }
    match text.split_once('/') {
        Some(("" | "." | ".." | "~", _)) => true,
        Some((first, _)) => !first.contains('.'),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::without_middle;

    #[test]
    fn long_paths_lose_their_middle() {
        let long = format!("/builds/{}old/run.log", "deep/".repeat(40));
        let short = without_middle(&long).expect("shortened");
        assert_eq!(short.chars().count(), 44);
        assert!(
            short.starts_with("/builds/") && short.ends_with("/old/run.log"),
            "{short}"
        );
        assert_eq!(without_middle("old/run.log"), None);
    }

    #[test]
    fn commands_and_functions_are_whole() {
        let far = "deep/".repeat(20);
        for text in [
            format!("gcc -O2 /{far}a.c"),
            format!("alloc::vec::Vec<{far}T>::push"),
            format!("github.com/{far}shop.Total"),
            format!("shop/{far}till.(*Till).Open"),
        ] {
            assert_eq!(without_middle(&text), None, "{text}");
        }
    }
}
