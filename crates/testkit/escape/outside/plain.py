"""The runner of the control: no sandbox at all, only a process in between, so that there is a parent to be killed.

usage: plain.py COMMAND…
"""

import resource
import subprocess
import sys

# Nothing here takes more, and a mistake must not either.
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 30, 1 << 30))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
done = subprocess.run(sys.argv[1:], close_fds=False)
sys.exit(done.returncode if done.returncode >= 0 else 128 - done.returncode)
