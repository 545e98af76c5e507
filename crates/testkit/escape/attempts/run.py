"""Makes one attempt, inside of the sandbox.

usage: python3 -I run.py NAME CONTEXT.json
"""

import os
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.dont_write_bytecode = True

from attempts import ATTEMPTS, BASELINE  # noqa: E402
from attempts.core import Context, Refused, name_process, report_bug  # noqa: E402


def main():
    name, context = sys.argv[1], Context.read(sys.argv[2])
    attempt = (ATTEMPTS | BASELINE)[name]
    name_process("esc-base")
    # The judge wants to know that it ran at all: a sandbox in which Python does not start would hold everything.
    os.write(2, f"began {name}\n".encode())
    try:
        attempt.run(context)
    except (OSError, Refused, MemoryError) as error:
        os.write(2, f"refused: {error!r}\n".encode())
        return 1
    except Exception:
        report_bug()
        return 70
    return 0


if __name__ == "__main__":
    code = main()
    # Not by way of the interpreter's end: threads that are still at it would keep it waiting.
    os._exit(code)
