import unittest

from kitchen import scale


class ScaleTest(unittest.TestCase):
    def test_twice_the_people(self):
        result = scale({"flour": 200, "eggs": 2}, 4, 8)
        self.assertEqual(result, {"flour": 400, "eggs": 4})

    def test_half_the_people(self):
        self.assertEqual(scale({"rice": 300}, 4, 2), {"rice": 150})
