//! What a person reads about a mistake in a study.

mod files;
mod keys;
mod names;
mod values;
