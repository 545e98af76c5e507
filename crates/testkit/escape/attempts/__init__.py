"""What a hostile program tries from inside. Nothing that it says about itself counts: the judge looks from outside."""

from attempts import (  # noqa: F401  (each module registers its attempts)
    devices,
    files,
    git,
    ipc,
    kernel,
    layer,
    limits,
    mounts,
    namespaces,
    network,
    outlive,
    proc,
    processes,
    proxy,
    terminal,
    tracing,
    traps,
)
from attempts.core import ATTEMPTS, BASELINE  # noqa: F401
