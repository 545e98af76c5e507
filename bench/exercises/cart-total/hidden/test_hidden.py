import unittest

from cart import total


class HiddenCartTest(unittest.TestCase):
    def test_one_item(self):
        self.assertEqual(total([999]), 999)

    def test_many_items(self):
        self.assertEqual(total([5, 10, 15, 20]), 50)

    def test_same_price_twice(self):
        self.assertEqual(total([75, 75]), 150)

    def test_empty_cart(self):
        self.assertEqual(total([]), 0)
