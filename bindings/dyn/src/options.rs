//! What can be asked for beside the algorithm.

use super::{Algorithm, Error, Length};

/// Options; what an algorithm has no use for is an error, so that no key is ever ignored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options<'a> {
    /// Length of the digest, where it is a parameter of the function.
    pub digest_size: Option<usize>,
    /// Key of BLAKE2, BLAKE3 and KMAC. An empty one is none.
    pub key: &'a [u8],
    /// Salt of BLAKE2.
    pub salt: &'a [u8],
    /// Personalisation of BLAKE2.
    pub personal: &'a [u8],
    /// Customisation of cSHAKE, KMAC and KangarooTwelve.
    pub customization: &'a [u8],
    /// Context of BLAKE3's derivation of keys.
    pub context: Option<&'a str>,
    /// BLAKE2's place in a tree.
    pub tree: Option<Tree>,
}

/// A node of a tree of BLAKE2 (BLAKE2 paper, 2.10). [`Default`] is the only node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tree {
    /// Children of a node; 0 is without limit.
    pub fanout: u8,
    /// Most layers; 255 is without limit.
    pub depth: u8,
    /// Bytes of a leaf at most; 0 is without limit.
    pub leaf_size: u32,
    /// Number of the node in its layer.
    pub node_offset: u64,
    /// Layer of the node; leaves are 0.
    pub node_depth: u8,
    /// Bytes of inner digests.
    pub inner_size: usize,
    /// Whether the node is the last one of its layer.
    pub last_node: bool,
}

impl Default for Tree {
    fn default() -> Self {
        Self {
            fanout: 1,
            depth: 1,
            leaf_size: 0,
            node_offset: 0,
            node_depth: 0,
            inner_size: 0,
            last_node: false,
        }
    }
}

/// The longest digest where it is a parameter of any size, and the longest output of one
/// call: a terabyte, so that sizes in bits and sums of sizes stay far from any limit.
const LONGEST: usize = 1 << 40;

impl Options<'_> {
    /// Whether these are the options of a plain hash. It asks for lengths instead of comparing
    /// with [`Options::default`]: on CPUs with AVX-512, glibc's `memcmp` of no bytes reads under
    /// an empty mask, and where the pointer leads nowhere that takes 100 ns.
    #[must_use]
    pub fn are_default(&self) -> bool {
        let Self {
            digest_size,
            key,
            salt,
            personal,
            customization,
            context,
            tree,
        } = self;
        let bytes = [key, salt, personal, customization];
        bytes.iter().all(|option| option.is_empty())
            && digest_size.is_none()
            && context.is_none()
            && tree.is_none()
    }

    /// Length of a digest; 0 for extendable output without a usual length.
    ///
    /// # Errors
    /// When the algorithm has no digests of the length that is asked for.
    pub fn digest_size(&self, algorithm: Algorithm) -> Result<usize, Error> {
        let name = algorithm.name();
        let (most, default) = match (algorithm.length(), self.digest_size) {
            (Length::Fixed(size) | Length::Extendable(size), None) => return Ok(size),
            // Its own length may be said.
            (Length::Fixed(size), Some(asked)) if size == asked => return Ok(size),
            (Length::Fixed(_) | Length::Extendable(_), Some(_)) => {
                return Err(Error::NotTaken {
                    algorithm: name,
                    option: "digest_size",
                });
            }
            (Length::UpTo(most), asked) => (most, asked.unwrap_or(most)),
            (Length::Any(default), asked) => (LONGEST, asked.unwrap_or(default)),
        };
        within(name, "digest_size", default as u64, 1, most as u64)?;
        Ok(default)
    }

    /// Fails when an option is there that the algorithm does not take, or is out of range.
    pub(crate) fn check(&self, algorithm: Algorithm) -> Result<(), Error> {
        use Algorithm as A;
        if self.are_default() && !matches!(algorithm, A::Kmac128 | A::Kmac256) {
            return Ok(());
        }
        self.digest_size(algorithm)?;
        let name = algorithm.name();
        let refused = |there: bool, option| match there {
            true => Err(Error::NotTaken {
                algorithm: name,
                option,
            }),
            false => Ok(()),
        };
        let has_parameters = matches!(algorithm, A::Blake2b | A::Blake2s);
        let (key, salt): (usize, usize) = match algorithm {
            A::Blake2b => (64, 16),
            A::Blake2s => (32, 8),
            A::Blake2bp => (64, 0),
            A::Blake2sp => (32, 0),
            A::Blake3 => (32, 0),
            A::Kmac128 | A::Kmac256 => (LONGEST, 0),
            _ => (0, 0),
        };
        refused(key == 0 && !self.key.is_empty(), "key")?;
        refused(!has_parameters && !self.salt.is_empty(), "salt")?;
        refused(
            !has_parameters && !self.personal.is_empty(),
            "personalisation",
        )?;
        refused(!has_parameters && self.tree.is_some(), "place in a tree")?;
        let customized = matches!(
            algorithm,
            A::CShake128 | A::CShake256 | A::Kmac128 | A::Kmac256 | A::Kt128 | A::Kt256
        );
        refused(
            !customized && !self.customization.is_empty(),
            "customisation",
        )?;
        refused(algorithm != A::Blake3 && self.context.is_some(), "context")?;
        if matches!(algorithm, A::Kmac128 | A::Kmac256) && self.key.is_empty() {
            return Err(Error::Needed {
                algorithm: name,
                option: "key",
            });
        }
        let length = |what, bytes: &[u8], most: usize| {
            within(name, what, bytes.len() as u64, 0, most as u64)
        };
        if algorithm == A::Blake3 && !self.key.is_empty() {
            within(name, "the key's length", self.key.len() as u64, 32, 32)?;
            if self.context.is_some() {
                return Err(Error::KeyAndContext);
            }
        }
        if key > 0 {
            length("the key's length", self.key, key)?;
        }
        if has_parameters {
            length("the salt's length", self.salt, salt)?;
            length("the personalisation's length", self.personal, salt)?;
        }
        self.check_tree(algorithm)
    }

    fn check_tree(&self, algorithm: Algorithm) -> Result<(), Error> {
        let Some(tree) = self.tree else { return Ok(()) };
        let name = algorithm.name();
        let (inner, offset) = match algorithm {
            Algorithm::Blake2b => (64, u64::MAX),
            _ => (32, (1 << 48) - 1),
        };
        within(name, "depth", tree.depth.into(), 1, 255)?;
        within(name, "inner_size", tree.inner_size as u64, 0, inner)?;
        within(name, "node_offset", tree.node_offset, 0, offset)
    }
}

/// The length of output that a caller wants from extendable output.
pub(crate) fn within(
    algorithm: &'static str,
    what: &'static str,
    found: u64,
    least: u64,
    most: u64,
) -> Result<(), Error> {
    if (least..=most).contains(&found) {
        return Ok(());
    }
    Err(Error::Range {
        algorithm,
        what,
        found: found.into(),
        least: least.into(),
        most: most.into(),
    })
}

#[cfg(test)]
mod tests {
    use super::{Options, Tree};

    #[test]
    fn any_option_is_seen() {
        let none = Options::default();
        assert!(none.are_default());
        let given = [
            Options {
                digest_size: Some(32),
                ..none
            },
            Options { key: b"k", ..none },
            Options { salt: b"s", ..none },
            Options {
                personal: b"p",
                ..none
            },
            Options {
                customization: b"c",
                ..none
            },
            Options {
                context: Some(""),
                ..none
            },
            Options {
                tree: Some(Tree::default()),
                ..none
            },
        ];
        for options in given {
            assert!(!options.are_default(), "{options:?}");
        }
    }
}
