"""A process of the user that has nothing to do with the sandbox, with a secret in its memory and one in a file.

usage: victim.py WORD     (WORD is a secret in its command line)

Reads one line of JSON, says what it has, then answers every line with the content of its memory.
"""

import ctypes
import json
import os
import sys

order = json.loads(sys.stdin.readline())
secret = ctypes.create_string_buffer(order["secret"].encode())
fd = os.open(order["file"], os.O_RDONLY)
# A namespace of its own where it may have one, so that it can be seen whether somebody enters it.
own = ctypes.CDLL(None).unshare(0x4000000) == 0
answer = {"address": ctypes.addressof(secret), "length": len(secret), "fd": fd, "own_namespace": own}
print(json.dumps(answer), flush=True)
for _ in sys.stdin:
    print(secret.raw.hex(), flush=True)
