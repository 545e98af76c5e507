"""Tests of the runner in `python/`. Run them from the folder above: python3 -m unittest discover -t . runner

With MCP_OFFICIAL_PYTHON, a Python that has the official package (`pip install "mcp==1.30.*"` in a virtual environment),
the tests also show what the official package makes of the same files.
"""
