"""The pydantic stand-in beside the real pydantic: the same script, the same lines."""

import json
import subprocess
import unittest

from stand_in.compare import difference
from stand_in.harness import command, official_python
from stand_in.test_compare import SOURCES


@unittest.skipUnless(official_python(), "the real pydantic is not there to compare with")
class Models(unittest.TestCase):
    def lines(self, flavour):
        done = subprocess.run(
            [*command(flavour, SOURCES / "models.py")], capture_output=True, text=True, timeout=120, check=False
        )
        self.assertEqual(done.returncode, 0, done.stderr[-2000:])
        # Ours has given standard output away, so what a script prints is on standard error.
        text = done.stdout if flavour == "official" else done.stderr
        return [json.loads(line) for line in text.splitlines() if line.startswith("[")]

    def test_same_lines(self):
        official, ours = self.lines("official"), self.lines("ours")
        self.assertEqual(len(official), len(ours))
        for theirs, own in zip(official, ours):
            with self.subTest(theirs[0]):
                found = difference(theirs, own, "line")
                self.assertIsNone(found, found)


if __name__ == "__main__":
    unittest.main()
