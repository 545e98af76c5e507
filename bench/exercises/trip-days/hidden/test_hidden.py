import unittest
from datetime import date

from hotel import hotel_cost
from trip import summary, trip_days


class HiddenTripTest(unittest.TestCase):
    def test_one_day(self):
        dates = [date(2024, 7, 9)]
        self.assertEqual(trip_days(dates), 1)
        self.assertEqual(summary(dates), "2024-07-09 to 2024-07-09, days: 1")

    def test_over_the_end_of_a_month(self):
        dates = [date(2024, 2, 27), date(2024, 2, 29), date(2024, 3, 2)]
        self.assertEqual(trip_days(dates), 5)

    def test_no_dates(self):
        self.assertEqual(trip_days([]), 0)
        self.assertEqual(summary([]), "no dates yet")

    def test_hotel(self):
        self.assertEqual(hotel_cost([date(2025, 6, 1), date(2025, 6, 4)], 8000), 24000)
        self.assertEqual(hotel_cost([], 8000), 0)
