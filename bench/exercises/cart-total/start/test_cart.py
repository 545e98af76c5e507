import unittest

from cart import total


class CartTest(unittest.TestCase):
    def test_two_items(self):
        self.assertEqual(total([250, 100]), 350)

    def test_empty_cart(self):
        self.assertEqual(total([]), 0)
