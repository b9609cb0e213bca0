"""Verifiable delay functions: squaring in class groups, with Wesolowski's proofs.

Discriminants, forms and proofs are byte for byte chiavdf's.
"""

from ._karat import (
    VerifyError,
    create_discriminant,
    generator,
    vdf_prove as prove,
    vdf_verify as verify,
)

__all__ = ["VerifyError", "create_discriminant", "generator", "prove", "verify"]
