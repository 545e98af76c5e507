"""Devices. They are opened and not used: an open descriptor says enough."""

import os
import stat

from attempts.core import attempt, each, hold, prove, read

KINDS = {
    "memory-devices": ["/dev/mem", "/dev/kmem", "/dev/port", "/dev/nvram"],
    "kernel-messages": ["/dev/kmsg"],
    "block-devices": ["{block}", "/dev/sda", "/dev/vda", "/dev/nvme0n1", "/dev/dm-0", "/dev/zram0"],
    "loop-devices": ["/dev/loop-control", "/dev/loop0"],
    "fuse": ["/dev/fuse"],
    "virtual-machines": ["/dev/kvm", "/dev/vhost-net", "/dev/vhost-vsock", "/dev/vfio/vfio"],
    "tunnels": ["/dev/net/tun", "/dev/net/tap"],
    "consoles": ["/dev/console", "/dev/tty0", "/dev/tty1", "/dev/ttyS0", "/dev/vcs", "/dev/vcsa"],
    "input-devices": ["/dev/uinput", "/dev/uhid", "/dev/input/event0", "/dev/input/mice", "/dev/hidraw0"],
    "cameras-and-sound": ["/dev/video0", "/dev/snd/controlC0", "/dev/dri/card0", "/dev/nvidiactl"],
    "processor-registers": ["/dev/cpu/0/msr", "/dev/cpu/0/cpuid"],
    "other-devices": ["/dev/userfaultfd", "/dev/autofs", "/dev/btrfs-control", "/dev/vga_arbiter", "/dev/hwrng",
                      "/dev/cpu_dma_latency", "/dev/vsock", "/dev/ppp", "/dev/rfkill"],
}


def open_kind(kind, paths):
    def run(c):
        kept = []

        def take(path):
            # Some want to be written, some to be read only; none becomes the terminal of this process.
            for flags in (os.O_RDWR, os.O_RDONLY, os.O_WRONLY):
                try:
                    kept.append(os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY))
                    return
                except OSError as error:
                    last = error
            raise last

        each([path.format(block=c.block_device) for path in paths], take)
        hold()

    needs = (f"any:{':'.join(path for path in paths)}",)
    rest = {"quick": True} if kind in ("kernel-messages", "block-devices") else {}
    attempt("devices", name=kind, look=("devices",), needs=needs, **rest)(run)


for _kind, _paths in KINDS.items():
    open_kind(_kind, _paths)


@attempt("devices", needs=("block",))
def read_disk(c):
    """Below all file systems lies the disk. Its first sector is enough to show it."""
    prove(read(c.block_device, 512))


@attempt("devices", look=("left",), quick=True)
def make_block_device(c):
    path = c.inside("disk")
    os.mknod(path, stat.S_IFBLK | 0o600, os.makedev(*c.block_numbers))
    prove(read(path, 512))


@attempt("devices", look=("left",))
def make_character_device(c):
    """The kernel's log, under another name."""
    os.mknod(c.inside("log"), stat.S_IFCHR | 0o600, os.makedev(1, 11))
