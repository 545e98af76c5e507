import unittest

from tally import count_words


class HiddenTallyTest(unittest.TestCase):
    def test_case_and_marks_together(self):
        self.assertEqual(count_words("Rain? RAIN! rain."), {"rain": 3})

    def test_several_marks(self):
        self.assertEqual(count_words("What?! what..."), {"what": 2})

    def test_mark_in_front(self):
        self.assertEqual(count_words("...and and"), {"and": 2})

    def test_empty_text(self):
        self.assertEqual(count_words(""), {})
