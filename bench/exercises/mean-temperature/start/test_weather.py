import unittest

from weather import average


class AverageTest(unittest.TestCase):
    def test_all_there(self):
        self.assertEqual(average([10, 20]), 15)

    def test_one_missing(self):
        self.assertEqual(average([10, None, 20]), 15)

    def test_no_reading(self):
        self.assertIsNone(average([]))
