import unittest

from week import warmest_day


class HiddenWarmestDayTest(unittest.TestCase):
    def test_first_of_two(self):
        days = {"Monday": 12, "Thursday": 19, "Friday": 19}
        self.assertEqual(warmest_day(days), "Thursday")

    def test_winter(self):
        days = {"Saturday": -9, "Sunday": -4, "Monday": -11}
        self.assertEqual(warmest_day(days), "Sunday")

    def test_one_day(self):
        self.assertEqual(warmest_day({"Friday": 0}), "Friday")

    def test_no_days(self):
        self.assertIsNone(warmest_day({}))
