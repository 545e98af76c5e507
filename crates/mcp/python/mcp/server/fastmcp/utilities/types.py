"""Pictures and sound that a tool returns."""

_IMAGES = {".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif", ".webp": "image/webp"}
_SOUNDS = {
    ".wav": "audio/wav",
    ".mp3": "audio/mpeg",
    ".ogg": "audio/ogg",
    ".flac": "audio/flac",
    ".aac": "audio/aac",
    ".m4a": "audio/mp4",
}


class _Media:
    kind, suffixes, fallback = "", {}, ""

    def __init__(self, path=None, data=None, format=None):  # noqa: A002 - the official spelling
        if (path is None) == (data is None):
            raise ValueError(f"{type(self).__name__} takes either a path or data")
        if path is not None:
            from pathlib import Path

            path = Path(path)
        self.path, self.data, self._format = path, data, format
        self._mime_type = self._find_type()

    def _find_type(self):
        if self._format:
            return f"{self.kind}/{self._format.lower()}"
        if self.path is not None:
            return self.suffixes.get(self.path.suffix.lower(), "application/octet-stream")
        return self.fallback

    def _encoded(self):
        import base64

        data = self.data if self.path is None else self.path.read_bytes()
        return base64.b64encode(data).decode()


class Image(_Media):
    kind, suffixes, fallback = "image", _IMAGES, "image/png"

    def to_image_content(self):
        from mcp.types import ImageContent

        return ImageContent(type="image", data=self._encoded(), mimeType=self._mime_type)


class Audio(_Media):
    kind, suffixes, fallback = "audio", _SOUNDS, "audio/wav"

    def to_audio_content(self):
        from mcp.types import AudioContent

        return AudioContent(type="audio", data=self._encoded(), mimeType=self._mime_type)
