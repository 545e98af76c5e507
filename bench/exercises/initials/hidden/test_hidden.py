import unittest

from people import initials


class HiddenInitialsTest(unittest.TestCase):
    def test_one_word(self):
        self.assertEqual(initials("Yuki"), "Y.")

    def test_four_words(self):
        self.assertEqual(initials("Ian van der Zee"), "I.V.D.Z.")

    def test_too_many_spaces(self):
        self.assertEqual(initials("  finn   holm "), "F.H.")

    def test_empty_name(self):
        self.assertEqual(initials(""), "")
