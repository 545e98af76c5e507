import unittest

from tags import full_name, list_name


class TagTest(unittest.TestCase):
    def test_full_name(self):
        self.assertEqual(full_name("Rosa", "Lind"), "Rosa Lind")

    def test_list_name(self):
        self.assertEqual(list_name("Rosa", "Lind"), "Lind, Rosa")
