import unittest

from tickets import ticket_price


class TicketTest(unittest.TestCase):
    def test_small_child(self):
        self.assertEqual(ticket_price(4), 0)

    def test_child(self):
        self.assertEqual(ticket_price(12), 500)

    def test_adult(self):
        self.assertEqual(ticket_price(30), 900)

    def test_senior(self):
        self.assertEqual(ticket_price(70), 600)
