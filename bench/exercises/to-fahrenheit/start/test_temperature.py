import unittest

from temperature import to_celsius, to_fahrenheit


class TemperatureTest(unittest.TestCase):
    def test_boiling_water(self):
        self.assertEqual(to_fahrenheit(100), 212)

    def test_freezing_water(self):
        self.assertEqual(to_celsius(32), 0)
