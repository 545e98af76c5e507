"""Runs a command on a terminal, as a shell would, and says afterwards what is waiting in the terminal's input.

usage: session.py TERMINAL REPORT COMMAND…
"""

import fcntl
import os
import subprocess
import sys
import termios

path, report = sys.argv[1:3]
terminal = os.open(path, os.O_RDWR | os.O_NOCTTY)
fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)
done = subprocess.run(sys.argv[3:], close_fds=False, stdin=terminal, stdout=terminal, stderr=terminal)
# The session may have been taken away by then: what was typed is in the queue all the same.
modes = termios.tcgetattr(terminal)
modes[3] &= ~(termios.ICANON | termios.ECHO)
modes[6][termios.VMIN], modes[6][termios.VTIME] = 0, 1
termios.tcsetattr(terminal, termios.TCSANOW, modes)
waiting = os.read(terminal, 4096)
with open(report, "wb") as file:
    file.write(waiting)
sys.exit(done.returncode if done.returncode >= 0 else 128 - done.returncode)
