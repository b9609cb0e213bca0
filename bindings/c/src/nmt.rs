//! Namespaced Merkle trees.

use crate::bytes::{free, karat_slice, list, object, put, read, write};
use crate::status::{Failure, argument, guard, karat_status, not_verified, null};
use karat_nmt::{Format, Leaf, Proof, Tree, Verifier};

/// A leaf: its namespace, and its data.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct karat_leaf {
    /// As many bytes as the tree's namespaces have.
    pub name_space: karat_slice,
    /// Any number of bytes.
    pub data: karat_slice,
}

/// The rule of a tree. Celestia's is 29 and true.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct karat_nmt_format {
    /// Bytes of a namespace, 1 to 255.
    pub namespace_size: u8,
    /// Whether the largest namespace counts for nothing in nodes.
    pub ignore_max: bool,
}

/// A tree.
pub struct karat_nmt_tree(Tree);

fn rule(format: karat_nmt_format) -> Result<Format, Failure> {
    match format.namespace_size {
        0 => Err(argument("namespace_size is 0: 1 to 255 bytes")),
        size => Ok(Format::new(size, format.ignore_max)),
    }
}

/// # Safety
/// Pointers are good for their lengths.
unsafe fn leaves<'a>(given: *const karat_leaf, count: usize) -> Result<Vec<Leaf<'a>>, Failure> {
    // SAFETY: the caller's promise.
    unsafe {
        let leaves = list(given, count, "leaves")?.iter();
        let leaf = |leaf: &karat_leaf| {
            let namespace = leaf.name_space.get("a namespace")?;
            Ok(Leaf::new(namespace, leaf.data.get("a leaf's data")?))
        };
        leaves.map(leaf).collect()
    }
}

/// Makes the tree of leaves that are in the order of their namespaces; `karat_nmt_tree_free`
/// frees it.
///
/// # Safety
/// Pointers are good for their lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_nmt_tree_new(
    format: karat_nmt_format,
    leaves: *const karat_leaf,
    count: usize,
    tree: *mut *mut karat_nmt_tree,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        if tree.is_null() {
            return Err(null("tree"));
        }
        let leaves = self::leaves(leaves, count)?;
        let made = Tree::of(rule(format)?, &leaves).map_err(argument)?;
        put(tree, Box::into_raw(Box::new(karat_nmt_tree(made))), "tree")
    })
}

/// Frees a tree; null is let alone.
///
/// # Safety
/// The tree is one that was made, and is not used again.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_nmt_tree_free(tree: *mut karat_nmt_tree) {
    // SAFETY: the caller's promise.
    unsafe { free(tree) }
}

/// Writes the root: two namespaces and 32 bytes. `length` says how much room there is, and
/// must be just that.
///
/// # Safety
/// Pointers are good for their lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_nmt_tree_root(
    tree: *const karat_nmt_tree,
    out: *mut u8,
    length: usize,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let root = object(tree, "tree")?.0.root();
        if length != root.len() {
            return Err(argument(format!(
                "room for {length} bytes, the root has {}",
                root.len()
            )));
        }
        write(out, length, "out")?.copy_from_slice(root);
        Ok(())
    })
}

/// Writes a proof of the leaves from `start` to before `end`, in the form of Celestia's
/// library in Go (Protocol Buffers). `*length` is the room there is, and becomes the length
/// of the proof; with `out` null nothing else is done.
///
/// # Safety
/// Pointers are good for their lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_nmt_tree_prove(
    tree: *const karat_nmt_tree,
    start: usize,
    end: usize,
    out: *mut u8,
    length: *mut usize,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let proof = object(tree, "tree")?.0.prove_range(start..end);
        hand_over(&proof.map_err(argument)?, out, length)
    })
}

/// As `karat_nmt_tree_prove`, of all leaves of a namespace, or that there are none.
///
/// # Safety
/// Pointers are good for their lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_nmt_tree_prove_namespace(
    tree: *const karat_nmt_tree,
    name_space: karat_slice,
    out: *mut u8,
    length: *mut usize,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let tree = &object(tree, "tree")?.0;
        let proof = tree.prove_namespace(name_space.get("the namespace")?);
        hand_over(&proof.map_err(argument)?, out, length)
    })
}

/// # Safety
/// Pointers are good for their lengths.
unsafe fn hand_over(proof: &Proof, out: *mut u8, length: *mut usize) -> Result<(), Failure> {
    let bytes = proof.to_protobuf();
    // SAFETY: the caller's promises.
    unsafe {
        let room = *object(length, "length")?;
        put(length, bytes.len(), "length")?;
        if out.is_null() {
            return Ok(());
        }
        if room < bytes.len() {
            return Err(argument(format!(
                "room for {room} bytes, the proof has {}",
                bytes.len()
            )));
        }
        write(out, bytes.len(), "out")?.copy_from_slice(&bytes);
    }
    Ok(())
}

/// # Safety
/// Pointers are good for their lengths.
unsafe fn verifier<'a>(
    format: karat_nmt_format,
    root: karat_slice,
    leaves_in_tree: u64,
) -> Result<Verifier<'a>, Failure> {
    // SAFETY: the caller's promises.
    let root = unsafe { root.get("the root") }?;
    let verifier: Verifier<'_> = Verifier::new(rule(format)?, root).map_err(not_verified)?;
    Ok(match leaves_in_tree {
        0 => verifier,
        leaves => verifier.of_leaves(leaves),
    })
}

/// Whether a proof shows that these leaves, side by side, are in the tree: KARAT_OK or
/// KARAT_NOT_VERIFIED. Their numbers are shown only if `leaves_in_tree` is not 0.
///
/// # Safety
/// Pointers are good for their lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_nmt_verify(
    format: karat_nmt_format,
    root: karat_slice,
    leaves_in_tree: u64,
    proof: karat_slice,
    leaves: *const karat_leaf,
    count: usize,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let verifier = verifier(format, root, leaves_in_tree)?;
        let proof = Proof::from_protobuf(read(proof.data, proof.length, "the proof")?);
        let leaves = self::leaves(leaves, count)?;
        let proof = proof.map_err(not_verified)?;
        verifier.leaves(&proof, &leaves).map_err(not_verified)
    })
}

/// Whether a proof shows that these data are all that the namespace has.
///
/// # Safety
/// Pointers are good for their lengths.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn karat_nmt_verify_namespace(
    format: karat_nmt_format,
    root: karat_slice,
    leaves_in_tree: u64,
    proof: karat_slice,
    name_space: karat_slice,
    data: *const karat_slice,
    count: usize,
) -> karat_status {
    // SAFETY: the caller's promises.
    guard(|| unsafe {
        let verifier = verifier(format, root, leaves_in_tree)?;
        let proof = Proof::from_protobuf(proof.get("the proof")?).map_err(not_verified)?;
        let data = list(data, count, "data")?.iter();
        let data: Vec<&[u8]> = data.map(|d| d.get("data")).collect::<Result<_, _>>()?;
        let namespace = name_space.get("the namespace")?;
        verifier
            .namespace(&proof, namespace, &data)
            .map_err(not_verified)
    })
}
