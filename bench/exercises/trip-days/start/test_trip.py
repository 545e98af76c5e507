import unittest
from datetime import date

from trip import summary, trip_days

TRIP = [date(2025, 5, 1), date(2025, 5, 3)]


class TripTest(unittest.TestCase):
    def test_first_and_last_day_count(self):
        self.assertEqual(trip_days(TRIP), 3)

    def test_summary(self):
        self.assertEqual(summary(TRIP), "2025-05-01 to 2025-05-03, days: 3")

    def test_no_dates(self):
        self.assertEqual(trip_days([]), 0)
        self.assertEqual(summary([]), "no dates yet")
