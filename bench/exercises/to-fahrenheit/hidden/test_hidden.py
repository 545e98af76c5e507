import unittest

from temperature import to_celsius, to_fahrenheit


class HiddenTemperatureTest(unittest.TestCase):
    def test_freezing_water(self):
        self.assertEqual(to_fahrenheit(0), 32)

    def test_cold_day(self):
        self.assertEqual(to_fahrenheit(-40), -40)

    def test_warm_day(self):
        self.assertAlmostEqual(to_fahrenheit(25), 77)

    def test_there_and_back(self):
        self.assertAlmostEqual(to_celsius(to_fahrenheit(18)), 18)
