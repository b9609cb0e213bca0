//! The names of a function. A file has a hundred thousand functions, and nearly all have one.

use std::ops::Deref;

/// Names, none of which comes twice; one takes no room of its own.
#[derive(Clone, Debug, Default)]
pub enum Aliases<'a> {
    /// There is no name.
    #[default]
    None,
    /// There is one.
    One(&'a str),
    /// There are several.
    Many(Vec<&'a str>),
}

impl<'a> Aliases<'a> {
    /// Adds a name, unless it is there.
    pub fn add(&mut self, name: &'a str) {
        match self {
            Self::None => *self = Self::One(name),
            _ if self.contains(&name) => {}
            Self::One(first) => *self = Self::Many(vec![first, name]),
            Self::Many(all) => all.push(name),
        }
    }
}

impl<'a> Deref for Aliases<'a> {
    type Target = [&'a str];

    fn deref(&self) -> &[&'a str] {
        match self {
            Self::None => &[],
            Self::One(name) => std::slice::from_ref(name),
            Self::Many(all) => all,
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
    }
}
