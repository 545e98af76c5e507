"""Run a server with this package in place of the official one: python -I bootstrap.py server.py

It takes standard output for the protocol before the server's source is read, so that nothing the
source prints while it loads can reach the client.
"""

import os
import sys


def _start():
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    del sys.argv[0]
    if not sys.argv:
        sys.exit("which server? Give its file: python -I bootstrap.py server.py")
    from mcp.server.fastmcp._wire import claim

    claim()
    with open(sys.argv[0], "rb") as source:
        return compile(source.read(), sys.argv[0], "exec")


_code = _start()
__file__ = sys.argv[0]
__doc__ = None
# Here, and not in a function: the names of the source have to be those of __main__.
exec(_code)
