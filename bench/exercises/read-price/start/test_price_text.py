import unittest

from price_text import read_price


class ReadPriceTest(unittest.TestCase):
    def test_plain_number(self):
        self.assertEqual(read_price("3.20"), 3.20)

    def test_dollar_sign(self):
        self.assertEqual(read_price("$4.50"), 4.50)

    def test_comma(self):
        self.assertEqual(read_price("$1,250.50"), 1250.50)

    def test_space_after_the_sign(self):
        self.assertEqual(read_price("$ 12.00"), 12.00)
