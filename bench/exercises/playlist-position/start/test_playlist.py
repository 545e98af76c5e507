import unittest

from playlist import Playlist


class PlaylistTest(unittest.TestCase):
    def test_remove_a_song_before_the_current_one(self):
        playlist = Playlist(["Rain", "Sun", "Snow"])
        playlist.skip()
        playlist.remove("Rain")
        self.assertEqual(playlist.current(), "Sun")

    def test_remove_the_last_song_while_it_plays(self):
        playlist = Playlist(["Rain", "Sun"])
        playlist.skip()
        playlist.remove("Sun")
        self.assertEqual(playlist.current(), "Rain")

    def test_no_songs(self):
        self.assertIsNone(Playlist([]).current())
        self.assertIsNone(Playlist([]).skip())
