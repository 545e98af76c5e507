import unittest

from phone import hide


class HiddenHideTest(unittest.TestCase):
    def test_dash_inside_the_last_three(self):
        self.assertEqual(hide("12-34-56-7"), "**-**-56-7")

    def test_short_number(self):
        self.assertEqual(hide("112"), "112")

    def test_very_short_number(self):
        self.assertEqual(hide("7"), "7")

    def test_long_number(self):
        self.assertEqual(hide("0800 100 200 300"), "**** *** *** 300")
