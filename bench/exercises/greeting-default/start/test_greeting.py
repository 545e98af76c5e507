import unittest

from greeting import greet


class GreetingTest(unittest.TestCase):
    def test_with_a_name(self):
        self.assertEqual(greet("Mira"), "Hello, Mira!")

    def test_without_a_name(self):
        self.assertEqual(greet(), "Hello, friend!")
