"""Tests are slow on a machine that does other work: no deadlines."""

from hypothesis import settings

settings.register_profile("karat", deadline=None, max_examples=40)
settings.load_profile("karat")
