import unittest

from kitchen import scale


class HiddenScaleTest(unittest.TestCase):
    def test_three_times(self):
        result = scale({"milk": 100, "oats": 40, "nuts": 5}, 1, 3)
        self.assertEqual(result, {"milk": 300, "oats": 120, "nuts": 15})

    def test_not_a_whole_factor(self):
        self.assertAlmostEqual(scale({"butter": 100}, 4, 6)["butter"], 150)
        self.assertAlmostEqual(scale({"eggs": 1}, 4, 2)["eggs"], 0.5)

    def test_old_amounts_stay(self):
        amounts = {"rice": 300}
        scale(amounts, 2, 4)
        self.assertEqual(amounts, {"rice": 300})

    def test_nothing_to_scale(self):
        self.assertEqual(scale({}, 2, 4), {})
