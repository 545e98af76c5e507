import unittest

from phone import hide


class HideTest(unittest.TestCase):
    def test_only_digits(self):
        self.assertEqual(hide("5551234"), "****234")

    def test_spaces_and_dashes(self):
        self.assertEqual(hide("030 555-1234"), "*** ***-*234")
