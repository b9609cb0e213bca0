//! The names of a function. A file has a hundred thousand functions, and nearly all have one.

use std::ops::Deref;

/// Names, none of which comes twice; one takes no room of its own.
#[derive(Clone, Debug)]
pub struct Aliases<'a>(Names<'a>);

/// Of two words, as the reference to one name has.
#[expect(clippy::box_collection, reason = "a list in place takes a third word")]
#[derive(Clone, Debug)]
enum Names<'a> {
    /// There is one.
    One(&'a str),
    /// There are others, or none.
    Others(Option<Box<Vec<&'a str>>>),
}

impl<'a> Aliases<'a> {
    /// One name.
    #[must_use]
    pub fn one(name: &'a str) -> Self {
        Self(Names::One(name))
    }

    /// Adds a name, unless it is there; whether it is new.
    pub fn add(&mut self, name: &'a str) -> bool {
        if self.contains(&name) {
            return false;
        }
        match &mut self.0 {
            Names::One(first) => self.0 = Names::Others(Some(Box::new(vec![*first, name]))),
            Names::Others(None) => self.0 = Names::One(name),
            Names::Others(Some(all)) => all.push(name),
        }
        true
    }
}

impl Default for Aliases<'_> {
    fn default() -> Self {
        Self(Names::Others(None))
    }
}

impl<'a> Deref for Aliases<'a> {
    type Target = [&'a str];

    #[inline]
    fn deref(&self) -> &[&'a str] {
        match &self.0 {
            Names::One(name) => std::slice::from_ref(name),
            Names::Others(all) => all.as_deref().map_or(&[], Vec::as_slice),
        }
    }
}

impl<'n, 'a> IntoIterator for &'n Aliases<'a> {
    type Item = &'n &'a str;
    type IntoIter = std::slice::Iter<'n, &'a str>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_the_order_they_came_in() {
        let mut names = Aliases::default();
        assert!(names.is_empty());
        for (name, all) in [
            ("a", &["a"][..]),
            ("a", &["a"]),
            ("b", &["a", "b"]),
            ("a", &["a", "b"]),
            ("c", &["a", "b", "c"]),
        ] {
            names.add(name);
            assert_eq!(*names, *all);
        }
        assert_eq!(size_of_val(&names), size_of::<&str>());
    }
}
