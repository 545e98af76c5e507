import unittest

from printing import framed
from tags import full_name, list_name


class HiddenTagTest(unittest.TestCase):
    def test_other_names(self):
        self.assertEqual(full_name("Jon", "Berg"), "Jon Berg")
        self.assertEqual(full_name("Ana Maria", "Sol"), "Ana Maria Sol")

    def test_framed(self):
        self.assertEqual(framed("Kai", "Moor"), "| Kai Moor |")

    def test_list_name_is_unchanged(self):
        self.assertEqual(list_name("Kai", "Moor"), "Moor, Kai")
