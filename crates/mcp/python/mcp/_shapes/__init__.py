"""Shapes: what a Python annotation accepts, and how JSON Schema says it.

Every annotation becomes one Shape (`base.py`) that can check a value and describe itself.
`resolve.py` finds the Shape for an annotation; start reading there.
Nothing in here knows about MCP: the tool layer and the `pydantic` stand-in both stand on it.
"""
