import unittest

from playlist import Playlist


class HiddenPlaylistTest(unittest.TestCase):
    def setUp(self):
        self.playlist = Playlist(["Moon", "Star", "Cloud", "Wind"])

    def test_remove_a_later_song(self):
        self.playlist.skip()
        self.playlist.remove("Wind")
        self.assertEqual(self.playlist.current(), "Star")
        self.assertEqual(self.playlist.skip(), "Cloud")

    def test_remove_two_earlier_songs(self):
        self.playlist.skip()
        self.playlist.skip()
        self.playlist.remove("Star")
        self.playlist.remove("Moon")
        self.assertEqual(self.playlist.current(), "Cloud")
        self.assertEqual(self.playlist.skip(), "Wind")

    def test_remove_the_current_song(self):
        self.playlist.skip()
        self.playlist.remove("Star")
        self.assertEqual(self.playlist.current(), "Cloud")

    def test_remove_all(self):
        for song in ["Moon", "Star", "Cloud", "Wind"]:
            self.playlist.remove(song)
        self.assertIsNone(self.playlist.current())
        self.assertIsNone(self.playlist.skip())
