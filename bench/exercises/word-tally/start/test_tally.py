import unittest

from tally import count_words


class TallyTest(unittest.TestCase):
    def test_plain_words(self):
        self.assertEqual(count_words("red blue red"), {"red": 2, "blue": 1})

    def test_upper_and_lower_case(self):
        self.assertEqual(count_words("Tea tea"), {"tea": 2})

    def test_marks(self):
        self.assertEqual(count_words("tea, more tea!"), {"tea": 2, "more": 1})
