//! Leaves one after another.

use super::digests::{Names, Room, parents, take, wrong};
use crate::slots::{AT_ONCE, LONG, Slots, leaf_digest, leaf_message_len, put_leaf};
use crate::{Error, Format, Hash, Leaf, Sha256, Tree};
use alloc::vec::Vec;
use core::fmt;

/// Leaves after which nodes above them are computed: their own are then still in the
/// first cache.
const STEP: usize = 4 * AT_ONCE;

/// Builds a tree from leaves that come one after another, or appends to one.
///
/// Leaves wait until there are enough to be hashed side by side, and so do nodes.
///
/// ```
/// use karat_nmt::{Builder, Format};
///
/// let mut builder: Builder = Builder::new(Format::new(1, true));
/// builder.push(b"a", b"one")?.push(b"b", b"two")?;
/// let tree = builder.finish();
/// let mut builder = tree.clone().grow();
/// builder.push(b"b", b"three")?;
/// assert_ne!(builder.finish().root(), tree.root());
/// # Ok::<(), karat_nmt::Error>(())
/// ```
pub struct Builder<H = Sha256> {
    tree: Tree<H>,
    /// Leaves that wait. They count in `tree.len`.
    leaves: Slots<H>,
    waiting: usize,
    nodes: Slots<H>,
}

impl<H: Hash> Tree<H> {
    /// The tree of these leaves.
    ///
    /// # Errors
    /// [`Error::NamespaceLen`] and [`Error::Order`], as [`Builder::extend`].
    pub fn of(format: Format, leaves: &[Leaf<'_>]) -> Result<Self, Error> {
        let mut builder = Builder::with_capacity(format, leaves.len());
        builder.extend(leaves)?;
        Ok(builder.finish())
    }

    /// The same tree, to which leaves can be appended. No node is computed again.
    #[must_use]
    pub fn grow(self) -> Builder<H> {
        Builder::from_tree(self)
    }
}

impl<H: Hash> Builder<H> {
    /// A tree without leaves.
    #[must_use]
    pub fn new(format: Format) -> Self {
        Self::from_tree(Tree::empty(format))
    }

    /// A tree without leaves, with memory for so many. Without it, memory grows by
    /// doubling.
    #[must_use]
    pub fn with_capacity(format: Format, leaves: usize) -> Self {
        let mut builder = Self::new(format);
        builder
            .tree
            .namespaces
            .reserve_exact(leaves * format.namespace_len());
        let mut nodes = leaves;
        while nodes > 0 {
            builder
                .tree
                .levels
                .push(Vec::with_capacity(nodes * H::SIZE));
            nodes /= 2;
        }
        builder
    }

    pub(super) fn from_tree(tree: Tree<H>) -> Self {
        Self {
            tree,
            leaves: Slots::new(),
            waiting: 0,
            nodes: Slots::new(),
        }
    }

    /// Number of leaves so far.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.tree.len
    }

    /// Whether there is no leaf so far.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.tree.len == 0
    }

    /// Appends a leaf.
    ///
    /// # Errors
    /// [`Error::NamespaceLen`] when the namespace has another length than the tree's,
    /// [`Error::Order`] when it is below that of the leaf before. Then nothing is
    /// appended.
    pub fn push(&mut self, namespace: &[u8], data: &[u8]) -> Result<&mut Self, Error> {
        self.tree.check_namespace(namespace)?;
        let index = self.tree.len;
        if index > 0 && namespace < self.tree.namespace(index - 1) {
            return Err(Error::Order { index });
        }
        let format = self.tree.format;
        let leaf = Leaf { namespace, data };
        if data.len() > LONG {
            self.settle();
            leaf_digest::<H>(&leaf, append(&mut self.tree, 0, 1));
        } else {
            let length = leaf_message_len(format, data.len());
            if length != self.leaves.length() {
                self.settle();
            }
            self.leaves.fit(length, self.waiting + 1);
            let message = self.leaves.message(self.waiting);
            put_leaf(namespace.len(), message, &leaf);
            self.waiting += 1;
        }
        self.tree.namespaces.extend_from_slice(namespace);
        self.count(index + 1);
        if self.waiting == AT_ONCE {
            self.settle();
            self.climb(AT_ONCE);
        }
        Ok(self)
    }

    /// Appends leaves. It is faster than one by one.
    ///
    /// # Errors
    /// As [`push`](Self::push). The leaves before the wrong one have been appended.
    pub fn extend(&mut self, leaves: &[Leaf<'_>]) -> Result<&mut Self, Error> {
        self.settle();
        let (format, first) = (self.tree.format, self.tree.len);
        let before = (first > 0).then(|| self.tree.namespace(first - 1).to_vec());
        let mut done = 0;
        while done < leaves.len() {
            let last = match done {
                0 => before.as_deref(),
                done => Some(leaves[done - 1].namespace),
            };
            let room = STEP.min(leaves.len() - done);
            let taken = self.take(&leaves[done..], last, room);
            done += taken;
            self.count(first + done);
            self.climb(AT_ONCE);
            if taken < room {
                return Err(wrong(format, &leaves[done], first + done));
            }
        }
        Ok(self)
    }

    /// Takes leaves behind the namespace `last`, up to the first that is wrong.
    fn take<'a>(&mut self, leaves: &[Leaf<'a>], last: Option<&'a [u8]>, most: usize) -> usize {
        let (format, tree) = (self.tree.format, &mut self.tree);
        let namespace = format.namespace_len();
        let mut names = core::mem::take(&mut tree.namespaces);
        let (named, digested) = (tree.len * namespace, tree.len * H::SIZE);
        names.resize(named + most * namespace, 0);
        let room = Room {
            namespaces: &mut names[named..],
            digests: append(tree, 0, most),
        };
        let taken = take(format, &mut self.leaves, leaves, last, room);
        names.truncate(named + taken * namespace);
        tree.namespaces = names;
        tree.levels[0].truncate(digested + taken * H::SIZE);
        taken
    }

    /// There are so many leaves now.
    fn count(&mut self, leaves: usize) {
        let tree = &mut self.tree;
        if tree.counted == tree.len {
            let counts = |leaf: usize| !tree.format.is_ignored(tree.namespace(leaf));
            let mut counted = leaves;
            while counted > tree.len && !counts(counted - 1) {
                counted -= 1;
            }
            tree.counted = counted;
        }
        tree.len = leaves;
    }

    /// The root of all leaves so far. More may follow.
    pub fn root(&mut self) -> &[u8] {
        self.settle();
        self.climb(1);
        self.tree.find_root();
        &self.tree.root
    }

    /// The tree of all leaves so far.
    #[must_use]
    pub fn finish(mut self) -> Tree<H> {
        self.root();
        self.tree
    }

    /// Forgets all leaves, and keeps the memory for the next ones.
    pub fn reset(&mut self) -> &mut Self {
        self.waiting = 0;
        self.tree.len = 0;
        self.tree.counted = 0;
        self.tree.namespaces.clear();
        self.tree.levels.iter_mut().for_each(Vec::clear);
        self
    }

    /// Hashes the leaves that wait.
    fn settle(&mut self) {
        if self.waiting > 0 {
            let count = core::mem::take(&mut self.waiting);
            self.leaves.hash_to(append(&mut self.tree, 0, count), &[]);
        }
    }

    /// Computes parents, level by level, where `least` of them or more are missing.
    fn climb(&mut self, least: usize) {
        for level in 0.. {
            let levels = &self.tree.levels;
            let have = |level: usize| levels.get(level).map_or(0, |l| l.len() / H::SIZE);
            let (first, end) = (have(level + 1), have(level) / 2);
            if end == 0 {
                return;
            }
            if end < first + least {
                continue;
            }
            append(&mut self.tree, level + 1, end - first);
            let names = Names {
                format: self.tree.format,
                bytes: &self.tree.namespaces,
                counted: self.tree.counted,
            };
            let (below, above) = self.tree.levels.split_at_mut(level + 1);
            let children = &below[level][2 * first * H::SIZE..2 * end * H::SIZE];
            let out = &mut above[0][first * H::SIZE..];
            parents(names, &mut self.nodes, level + 1, first, children, out);
        }
    }
}

/// Room for `count` more digests at the end of a level.
fn append<H: Hash>(tree: &mut Tree<H>, level: usize, count: usize) -> &mut [u8] {
    if tree.levels.len() <= level {
        tree.levels.resize_with(level + 1, Vec::new);
    }
    let level = &mut tree.levels[level];
    let len = level.len();
    level.resize(len + count * H::SIZE, 0);
    &mut level[len..]
}

/// Shows the number of leaves.
impl<H> fmt::Debug for Builder<H> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("leaves", &self.tree.len)
            .finish_non_exhaustive()
    }
}
