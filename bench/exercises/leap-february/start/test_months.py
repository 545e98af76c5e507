import unittest

from months import days_in_february


class FebruaryTest(unittest.TestCase):
    def test_leap_year(self):
        self.assertEqual(days_in_february(2024), 29)

    def test_common_year(self):
        self.assertEqual(days_in_february(2023), 28)

    def test_hundredth_year(self):
        self.assertEqual(days_in_february(1900), 28)
