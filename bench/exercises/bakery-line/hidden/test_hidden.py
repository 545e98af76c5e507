import unittest

from bakery_line import BakeryLine


class HiddenBakeryLineTest(unittest.TestCase):
    def test_three_in_order(self):
        line = BakeryLine()
        for name in ["Eva", "Tom", "Ida"]:
            line.arrive(name)
        self.assertEqual([line.serve(), line.serve(), line.serve()], ["Eva", "Tom", "Ida"])
        self.assertEqual(line.waiting(), 0)

    def test_arrive_after_serve(self):
        line = BakeryLine()
        line.arrive("Eva")
        line.arrive("Tom")
        line.serve()
        line.arrive("Ida")
        self.assertEqual(line.serve(), "Tom")
        self.assertEqual(line.serve(), "Ida")
