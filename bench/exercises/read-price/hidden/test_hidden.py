import unittest

from price_text import read_price
from shop_list import list_total


class HiddenReadPriceTest(unittest.TestCase):
    def test_two_commas(self):
        self.assertEqual(read_price("$1,000,000"), 1000000)

    def test_comma_without_a_sign(self):
        self.assertEqual(read_price("2,300"), 2300)

    def test_spaces_around(self):
        self.assertEqual(read_price("  $ 7.25 "), 7.25)

    def test_list_total(self):
        self.assertEqual(list_total(["$1,000.50", "2.25", "$ 3"]), 1005.75)
