import unittest

from months import days_in_february, is_leap


class HiddenFebruaryTest(unittest.TestCase):
    def test_every_fourth_year(self):
        for year in [1996, 2004, 2016, 2028]:
            self.assertEqual(days_in_february(year), 29, year)

    def test_common_years(self):
        for year in [2001, 2022, 2025]:
            self.assertEqual(days_in_february(year), 28, year)

    def test_hundreds(self):
        self.assertTrue(is_leap(2000))
        self.assertTrue(is_leap(2400))
        self.assertFalse(is_leap(2100))
        self.assertFalse(is_leap(1800))
