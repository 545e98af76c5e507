import unittest

from shipping import shipping_fee


class ShippingTest(unittest.TestCase):
    def test_small_order_pays(self):
        self.assertEqual(shipping_fee(1200), 490)

    def test_exactly_fifty_is_free(self):
        self.assertEqual(shipping_fee(5000), 0)

    def test_big_order_is_free(self):
        self.assertEqual(shipping_fee(8000), 0)
