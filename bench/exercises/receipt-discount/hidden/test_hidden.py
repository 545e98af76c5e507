import unittest

import prices
import receipt


class HiddenReceiptTest(unittest.TestCase):
    def test_no_discount(self):
        self.assertEqual(prices.discounted(777, 0), 777)

    def test_everything_off(self):
        self.assertEqual(prices.discounted(777, 100), 0)

    def test_rounds_down(self):
        self.assertEqual(prices.discounted(101, 10), 90)
        self.assertEqual(prices.discounted(199, 25), 149)

    def test_discount_is_on_the_sum(self):
        self.assertEqual(receipt.total([99, 99], 50), 99)

    def test_last_line(self):
        self.assertEqual(receipt.last_line([1250, 1250], 50), "Total: 12.50")
        self.assertEqual(receipt.last_line([305]), "Total: 3.05")
