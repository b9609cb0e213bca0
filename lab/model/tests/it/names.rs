//! Guesses at what a mistyped word meant.

use karat_model::diagnostic::nearest;

#[test]
fn the_nearest_of_several_is_chosen() {
    let known = ["avx512f", "avx512vl", "avx512bw"];
    assert_eq!(nearest("avx512lv", &known), Some("avx512vl"));
    assert_eq!(nearest("avx512fb", &known), Some("avx512f"));
    assert_eq!(nearest("axv512bw", &known), Some("avx512bw"));
}

#[test]
fn a_short_word_needs_a_close_match() {
    assert_eq!(nearest("ba", &["bin", "dir"]), None);
    assert_eq!(nearest("bni", &["bin", "dir"]), Some("bin"));
    assert_eq!(nearest("", &["bin"]), None);
    assert_eq!(nearest("bin", &[]), None);
}

#[test]
fn letters_are_counted_as_letters() {
    assert_eq!(nearest("größe", &["grösse", "große"]), Some("große"));
}
