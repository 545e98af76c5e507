import unittest

from box_office import group_price
from tickets import ticket_price


class HiddenTicketTest(unittest.TestCase):
    def test_edges(self):
        expected = {5: 0, 6: 500, 17: 500, 18: 900, 64: 900, 65: 600}
        for age, price in expected.items():
            self.assertEqual(ticket_price(age), price, age)

    def test_baby(self):
        self.assertEqual(ticket_price(0), 0)

    def test_family(self):
        self.assertEqual(group_price([3, 9, 40, 67]), 2000)
