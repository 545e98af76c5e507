"""A server that greets as it should, and then prints without end: workshop_flood.py KIND COUNT

For every mebibyte that somebody took, the file COUNT is a byte longer.
"""

import json
import sys

MEBIBYTE = 1 << 20
#: The longest message that Perigee reads.
LONGEST = 8 * MEBIBYTE

kind, count = sys.argv[1:]


def message(**parts):
    return json.dumps({"jsonrpc": "2.0", **parts}) + "\n"


def note(length):
    return message(method="notifications/message", params={"level": "info", "data": "x" * length})


PIECES = {
    "garbage": "this is no message\n",
    "forged": message(id=987654, result={"content": [{"type": "text", "text": "forged"}]}),
    "notes": note(100),
    "changes": message(method="notifications/tools/list_changed"),
    "questions": message(id="q", method="ping"),
    "large": note(LONGEST - 1000),
    "too_large": "y" * (2 * LONGEST) + "\n",
    "endless": "z" * MEBIBYTE,
    "complaints": "something is wrong here\n",
}


def send(**parts):
    sys.stdout.write(message(**parts))
    sys.stdout.flush()


def greet():
    tool = {"name": "nothing", "description": "Does nothing.", "inputSchema": {"type": "object", "properties": {}}}
    for line in sys.stdin:
        asked = json.loads(line)
        if asked.get("method") == "initialize":
            info = {"name": "flood", "version": "1"}
            revision = asked["params"]["protocolVersion"]
            able = {"tools": {"listChanged": True}, "logging": {}}
            send(id=asked["id"], result={"protocolVersion": revision, "capabilities": able, "serverInfo": info})
        elif asked.get("method") == "tools/list":
            send(id=asked["id"], result={"tools": [tool]})
            return


def flood():
    piece = PIECES[kind].encode()
    block = piece * max(1, MEBIBYTE // len(piece))
    out = sys.stderr.buffer if kind == "complaints" else sys.stdout.buffer
    with open(count, "ab", buffering=0) as counted:
        while True:
            out.write(block)
            out.flush()
            counted.write(b"." * max(1, len(block) // MEBIBYTE))


greet()
flood()
