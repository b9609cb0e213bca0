"""Tests are slow on a machine that does other work: no deadlines. CI has little time, and
other examples each time."""

import os

from hypothesis import settings

examples = 15 if os.environ.get("CI") else 40
settings.register_profile("karat", deadline=None, max_examples=examples)
settings.load_profile("karat")
