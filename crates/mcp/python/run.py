"""Serve the functions of a Python file as tools: python -I run.py SERVER [PACKAGES [official]]

PACKAGES is a folder with the official package `mcp`. With the word `official`, that package serves every file that
imports it; without, only what the runner cannot serve.
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from perigee import start  # noqa: E402 - the path has to be there first

start.run(*sys.argv[1:])
