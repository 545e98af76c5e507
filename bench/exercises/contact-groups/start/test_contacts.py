import unittest

from contacts import by_letter


class ByLetterTest(unittest.TestCase):
    def test_groups_are_sorted(self):
        expected = {"N": ["Nils"], "A": ["Ada", "Amy"]}
        self.assertEqual(by_letter(["Nils", "Amy", "Ada"]), expected)

    def test_lower_case_name(self):
        self.assertEqual(by_letter(["bob"]), {"B": ["bob"]})
