import unittest

from songs import format_length


class HiddenLengthTest(unittest.TestCase):
    def test_zero(self):
        self.assertEqual(format_length(0), "0:00")

    def test_under_a_minute(self):
        self.assertEqual(format_length(9), "0:09")

    def test_just_below_an_hour(self):
        self.assertEqual(format_length(3599), "59:59")

    def test_exactly_an_hour(self):
        self.assertEqual(format_length(3600), "1:00:00")

    def test_many_hours(self):
        self.assertEqual(format_length(36000 + 11 * 60 + 12), "10:11:12")
