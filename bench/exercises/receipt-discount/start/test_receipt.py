import unittest

import prices
import receipt


class ReceiptTest(unittest.TestCase):
    def test_discounted(self):
        self.assertEqual(prices.discounted(2000, 10), 1800)

    def test_discounted_rounds_down(self):
        self.assertEqual(prices.discounted(999, 50), 499)

    def test_total_with_discount(self):
        self.assertEqual(receipt.total([1000, 500], 20), 1200)

    def test_total_without_discount(self):
        self.assertEqual(receipt.total([1000, 500]), 1500)
