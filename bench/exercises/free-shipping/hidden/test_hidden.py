import unittest

from shipping import shipping_fee, to_pay


class HiddenShippingTest(unittest.TestCase):
    def test_one_cent_below_pays(self):
        self.assertEqual(shipping_fee(4999), 490)

    def test_exactly_at_the_limit(self):
        self.assertEqual(to_pay(5000), 5000)

    def test_one_cent_above_is_free(self):
        self.assertEqual(to_pay(5001), 5001)

    def test_small_order(self):
        self.assertEqual(to_pay(1000), 1490)
