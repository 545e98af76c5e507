import unittest

from contacts import by_letter


class HiddenByLetterTest(unittest.TestCase):
    def test_no_names(self):
        self.assertEqual(by_letter([]), {})

    def test_many_names(self):
        names = ["Tess", "Carl", "Theo", "Cleo", "Tara", "Zoe"]
        expected = {"C": ["Carl", "Cleo"], "T": ["Tara", "Tess", "Theo"], "Z": ["Zoe"]}
        self.assertEqual(by_letter(names), expected)

    def test_upper_and_lower_case_together(self):
        self.assertEqual(by_letter(["eve", "Emil"]), {"E": ["Emil", "eve"]})
