import unittest

from recipes import total_minutes

SOUP = {"name": "tomato soup", "prep": 10, "cook": 25}


class RecipeTest(unittest.TestCase):
    def test_total_is_prep_and_cook(self):
        self.assertEqual(total_minutes(SOUP), 35)
