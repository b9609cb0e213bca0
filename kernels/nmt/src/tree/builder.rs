//! Leaves one after another.

use crate::level::{self, AT_ONCE, LONG, Slots};
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
    last: Vec<u8>,
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
        let mut nodes = leaves;
        while nodes > 0 {
            let level = Vec::with_capacity(nodes * format.node_len::<H>());
            builder.tree.levels.push(level);
            nodes /= 2;
        }
        builder
    }

    pub(super) fn from_tree(tree: Tree<H>) -> Self {
        Self {
            last: match tree.len {
                0 => Vec::new(),
                len => tree.namespace(len - 1).to_vec(),
            },
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
        if self.tree.len > 0 && *namespace < *self.last {
            let index = self.tree.len;
            return Err(Error::Order { index });
        }
        self.last.clear();
        self.last.extend_from_slice(namespace);
        let format = self.tree.format;
        let leaf = Leaf { namespace, data };
        if data.len() > LONG {
            self.settle();
            let node = self.append_nodes(0, 1);
            level::leaf_node::<H>(format, &leaf, node);
        } else {
            let length = level::leaf_message_len(format, data.len());
            if length != self.leaves.length() {
                self.settle();
                self.leaves.fit(length);
            }
            level::put_leaf(format, self.leaves.message(self.waiting), &leaf);
            self.waiting += 1;
            if self.waiting == AT_ONCE {
                self.settle();
                self.climb(AT_ONCE);
            }
        }
        self.tree.len += 1;
        Ok(self)
    }

    /// Appends leaves. It is faster than one by one.
    ///
    /// # Errors
    /// As [`push`](Self::push). The leaves before the wrong one have been appended.
    pub fn extend(&mut self, leaves: &[Leaf<'_>]) -> Result<&mut Self, Error> {
        self.settle();
        let format = self.tree.format;
        let mut last: &[u8] = &self.last;
        let (mut wrong, mut first) = (None, self.tree.len == 0);
        let mut right = 0;
        for leaf in leaves {
            if let Err(error) = self.tree.check_namespace(leaf.namespace) {
                wrong = Some(error);
                break;
            }
            if !first && leaf.namespace < last {
                let index = self.tree.len + right;
                wrong = Some(Error::Order { index });
                break;
            }
            (first, last) = (false, leaf.namespace);
            right += 1;
        }
        let leaves = &leaves[..right];
        if let Some(leaf) = leaves.last() {
            self.last = leaf.namespace.to_vec();
        }
        for some in leaves.chunks(STEP) {
            let place = append_nodes(&mut self.tree, 0, some.len());
            level::leaves(format, &mut self.leaves, some, place);
            self.tree.len += some.len();
            self.climb(AT_ONCE);
        }
        wrong.map_or(Ok(self), Err)
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
        self.last.clear();
        self.tree.len = 0;
        self.tree.levels.iter_mut().for_each(Vec::clear);
        self
    }

    /// Hashes the leaves that wait.
    fn settle(&mut self) {
        if self.waiting > 0 {
            let count = core::mem::take(&mut self.waiting);
            let format = self.tree.format;
            let room = append_nodes(&mut self.tree, 0, count);
            level::leaf_nodes(format, &mut self.leaves, count, room);
        }
    }

    /// Computes parents, level by level, where `least` of them or more are missing.
    fn climb(&mut self, least: usize) {
        let node = self.tree.format.node_len::<H>();
        for level in 0.. {
            let have = |level: usize| self.tree.levels.get(level).map_or(0, |l| l.len() / node);
            let (first, end) = (have(level + 1), have(level) / 2);
            if end == 0 {
                return;
            }
            if end < first + least {
                continue;
            }
            let format = self.tree.format;
            append_nodes(&mut self.tree, level + 1, end - first);
            let (below, above) = self.tree.levels.split_at_mut(level + 1);
            let children = &below[level][2 * first * node..2 * end * node];
            let parents = &mut above[0][first * node..];
            level::parents(format, &mut self.nodes, children, parents);
        }
    }

    fn append_nodes(&mut self, level: usize, count: usize) -> &mut [u8] {
        append_nodes(&mut self.tree, level, count)
    }
}

/// Room for `count` more nodes at the end of a level.
fn append_nodes<H: Hash>(tree: &mut Tree<H>, level: usize, count: usize) -> &mut [u8] {
    if tree.levels.len() <= level {
        tree.levels.resize_with(level + 1, Vec::new);
    }
    let level = &mut tree.levels[level];
    let len = level.len();
    level.resize(len + count * tree.format.node_len::<H>(), 0);
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
