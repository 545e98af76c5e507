import unittest

from bill import split


class SplitTest(unittest.TestCase):
    def test_even(self):
        self.assertEqual(split(900, 3), [300, 300, 300])

    def test_one_cent_left(self):
        self.assertEqual(split(1000, 3), [334, 333, 333])
