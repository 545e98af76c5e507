import unittest

from guests import unique_guests


class GuestTest(unittest.TestCase):
    def test_same_spelling(self):
        self.assertEqual(unique_guests(["Ben", "Uma", "Ben"]), ["Ben", "Uma"])

    def test_other_case_and_spaces(self):
        self.assertEqual(unique_guests(["Ben", "Uma", " ben "]), ["Ben", "Uma"])

    def test_spaces_are_taken_off(self):
        self.assertEqual(unique_guests([" Uma "]), ["Uma"])
