"""Serve a file with the official package: python -I official.py PACKAGES SERVER"""

import runpy
import sys

sys.path.insert(0, sys.argv[1])
del sys.argv[:2]
runpy.run_path(sys.argv[0], run_name="__main__")
