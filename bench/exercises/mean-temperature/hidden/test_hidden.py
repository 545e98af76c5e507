import unittest

from report import report
from weather import average


class HiddenAverageTest(unittest.TestCase):
    def test_only_missing(self):
        self.assertIsNone(average([None, None]))

    def test_zero_counts(self):
        self.assertEqual(average([0, None, 8]), 4)

    def test_below_zero(self):
        self.assertEqual(average([-6, -2, None]), -4)

    def test_report(self):
        self.assertEqual(report([None, 21, 22]), "21.5 degrees")
        self.assertEqual(report([None]), "no readings")
