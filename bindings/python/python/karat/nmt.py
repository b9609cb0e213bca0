"""Namespaced Merkle trees and Celestia's extended data square, byte for byte.

>>> from karat import nmt
>>> tree = nmt.Tree([(b"\\x01" * 29, b"one"), (b"\\x02" * 29, b"two")])
>>> proof = nmt.Proof.from_bytes(tree.prove_namespace(b"\\x02" * 29).to_bytes())
>>> nmt.verify_namespace(tree.root, proof, b"\\x02" * 29, [b"two"], leaves_in_tree=2)
"""

from ._karat import (
    Proof,
    Square,
    Tree,
    VerifyError,
    data_root,
    nmt_root as root,
    nmt_verify as verify,
    nmt_verify_namespace as verify_namespace,
    repair,
)

__all__ = [
    "Proof",
    "Square",
    "Tree",
    "VerifyError",
    "data_root",
    "repair",
    "root",
    "verify",
    "verify_namespace",
]
