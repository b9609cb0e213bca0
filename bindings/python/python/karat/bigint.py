"""Modular powers, by Montgomery's multiplication."""

from ._karat import powmod

__all__ = ["powmod"]
