import unittest

from bakery_line import BakeryLine


class BakeryLineTest(unittest.TestCase):
    def test_first_come_first_served(self):
        line = BakeryLine()
        line.arrive("Paul")
        line.arrive("Nina")
        self.assertEqual(line.serve(), "Paul")
        self.assertEqual(line.waiting(), 1)
