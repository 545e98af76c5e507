"""A playlist that remembers which song is playing."""


class Playlist:
    def __init__(self, songs):
        self.songs = list(songs)
        self.position = 0

    def current(self):
        """The song that is playing."""
        if not self.songs:
            return None
        return self.songs[self.position]

    def skip(self):
        """Go on to the next song; after the last comes the first."""
        if not self.songs:
            return None
        self.position = (self.position + 1) % len(self.songs)
        return self.current()

    def remove(self, song):
        """Take a song off the list."""
        index = self.songs.index(song)
        del self.songs[index]
        if index < self.position:
            self.position -= 1
        if self.position >= len(self.songs):
            self.position = 0
