import unittest

from people import initials


class InitialsTest(unittest.TestCase):
    def test_two_words(self):
        self.assertEqual(initials("Olga Brandt"), "O.B.")

    def test_lower_case(self):
        self.assertEqual(initials("maria del mar"), "M.D.M.")
