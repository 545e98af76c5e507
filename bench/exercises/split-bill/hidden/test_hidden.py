import unittest

from bill import split


class HiddenSplitTest(unittest.TestCase):
    def test_alone(self):
        self.assertEqual(split(1234, 1), [1234])

    def test_three_cents_left(self):
        self.assertEqual(split(2003, 4), [501, 501, 501, 500])

    def test_fewer_cents_than_people(self):
        self.assertEqual(split(2, 4), [1, 1, 0, 0])

    def test_nothing_is_lost(self):
        for cents in range(90, 110):
            self.assertEqual(sum(split(cents, 7)), cents)
