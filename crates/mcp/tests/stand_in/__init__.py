"""Tests of the stand-in. Run them from the folder above: python3 -m unittest discover -t . stand_in

The comparison needs the official package in some Python: MCP_OFFICIAL_PYTHON names it (`pip install "mcp==1.30.*"` in a
virtual environment). Without one the comparison is skipped.
"""
