import unittest

from cards import card
from greeting import greet


class HiddenGreetingTest(unittest.TestCase):
    def test_default(self):
        self.assertEqual(greet(), "Hello, friend!")

    def test_other_name(self):
        self.assertEqual(greet("Otto"), "Hello, Otto!")

    def test_card_without_a_name(self):
        self.assertEqual(card("Get well soon."), "Hello, friend!\nGet well soon.")

    def test_card_with_a_name(self):
        self.assertEqual(card("See you.", "Lena"), "Hello, Lena!\nSee you.")
