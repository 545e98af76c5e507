import unittest

from songs import format_length


class LengthTest(unittest.TestCase):
    def test_two_digits(self):
        self.assertEqual(format_length(200), "3:20")

    def test_one_digit(self):
        self.assertEqual(format_length(185), "3:05")

    def test_over_an_hour(self):
        self.assertEqual(format_length(3725), "1:02:05")
