import unittest

from guests import unique_guests
from party import chairs_needed


class HiddenGuestTest(unittest.TestCase):
    def test_first_spelling_stays(self):
        self.assertEqual(unique_guests(["LEO", "Leo", "leo"]), ["LEO"])

    def test_spaces_come_first(self):
        self.assertEqual(unique_guests(["  Mia", "mia", "Noa  "]), ["Mia", "Noa"])

    def test_no_guests(self):
        self.assertEqual(unique_guests([]), [])

    def test_chairs(self):
        self.assertEqual(chairs_needed(["Leo", " leo", "Mia"]), 3)
