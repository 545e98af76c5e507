import unittest

from recipes import is_quick, total_minutes


class HiddenRecipeTest(unittest.TestCase):
    def test_salad_needs_no_cooking(self):
        salad = {"name": "salad", "prep": 12, "cook": 0}
        self.assertEqual(total_minutes(salad), 12)

    def test_slow_stew(self):
        stew = {"name": "stew", "prep": 15, "cook": 180}
        self.assertEqual(total_minutes(stew), 195)
        self.assertFalse(is_quick(stew))

    def test_quick_toast(self):
        toast = {"name": "toast", "prep": 1, "cook": 3}
        self.assertEqual(total_minutes(toast), 4)
        self.assertTrue(is_quick(toast))
