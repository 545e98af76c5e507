import unittest

from week import warmest_day


class WarmestDayTest(unittest.TestCase):
    def test_three_days(self):
        days = {"Monday": 18, "Tuesday": 21, "Wednesday": 16}
        self.assertEqual(warmest_day(days), "Tuesday")

    def test_no_days(self):
        self.assertIsNone(warmest_day({}))
