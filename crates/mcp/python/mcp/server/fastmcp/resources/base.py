"""Resources that authors build themselves, and what reading one gives."""

from mcp._shapes.jsonable import json_text

from ..exceptions import ResourceError


class ReadResourceContents:
    """The content of a resource: text or bytes."""

    def __init__(self, content, mime_type=None, meta=None):
        self.content, self.mime_type, self.meta = content, mime_type, meta

    def listed(self, uri):
        told = {"uri": uri}
        if isinstance(self.content, (bytes, bytearray)):
            import base64

            told["mimeType"] = self.mime_type or "application/octet-stream"
            told["blob"] = base64.b64encode(self.content).decode()
        else:
            told["mimeType"] = self.mime_type or "text/plain"
            told["text"] = self.content
        return {**told, "_meta": self.meta} if self.meta is not None else told


class Resource:
    """Something that can be read at a fixed address."""

    default_mime_type = "text/plain"
    is_async = False

    def __init__(self, *, uri, name=None, title=None, description=None, mime_type=None, icons=None, annotations=None,
                 meta=None):  # fmt: skip
        from .._shelf import normal_uri

        self.uri = normal_uri(uri)
        if self.uri is None:
            raise ValueError(f"{uri!r} is not an address such as notes://today")
        self.name, self.title, self.description = name or self.uri, title, description
        self.mime_type = mime_type or self.default_mime_type
        self.icons, self.annotations, self.meta = icons, annotations, meta

    def listed(self):
        from .._content import dump

        told = {"uri": self.uri, "name": self.name, "title": self.title, "description": self.description}
        told.update(mimeType=self.mime_type, icons=dump(self.icons), annotations=dump(self.annotations), _meta=self.meta)
        return {key: value for key, value in told.items() if value is not None}

    async def read(self):
        raise NotImplementedError


class TextResource(Resource):
    def __init__(self, *, text, **told):
        super().__init__(**told)
        self.text = text

    async def read(self):
        return self.text


class BinaryResource(Resource):
    def __init__(self, *, data, **told):
        super().__init__(**told)
        self.data = data

    async def read(self):
        return self.data


class FunctionResource(Resource):
    def __init__(self, *, fn, **told):
        from .._signature import Signature

        super().__init__(**told)
        self.fn = fn
        self.is_async = Signature(fn).is_async

    @classmethod
    def from_function(cls, fn, uri, name=None, description=None, **told):
        if (name or fn.__name__) == "<lambda>":
            raise ValueError("a lambda has no name of its own: give one with name=")
        return cls(fn=fn, uri=uri, name=name or fn.__name__, description=description or fn.__doc__ or "", **told)

    async def read(self):
        try:
            value = self.fn()
            return await self.content_of(await value if self.is_async else value)
        except Exception as error:
            raise ResourceError(f"the resource {self.uri} failed: {error}") from error

    @staticmethod
    async def content_of(value):
        """Text and bytes as they are; anything else as JSON."""
        if isinstance(value, Resource):
            return await value.read()
        return value if isinstance(value, (str, bytes)) else json_text(value)


class FileResource(Resource):
    def __init__(self, *, path, is_binary=False, **told):
        from pathlib import Path

        super().__init__(**told)
        self.path = Path(path)
        if not self.path.is_absolute():
            raise ValueError(f"the path of a resource is absolute, not {path}")
        self.is_binary = is_binary or not self.mime_type.startswith("text/")

    async def read(self):
        try:
            return self.path.read_bytes() if self.is_binary else self.path.read_text(encoding="utf-8")
        except Exception as error:
            raise ResourceError(f"the file {self.path} cannot be read: {error}") from error


class DirectoryResource(Resource):
    default_mime_type = "application/json"

    def __init__(self, *, path, recursive=False, pattern=None, **told):
        from pathlib import Path

        super().__init__(**told)
        self.path, self.recursive, self.pattern = Path(path), recursive, pattern or "*"
        if not self.path.is_absolute():
            raise ValueError(f"the path of a resource is absolute, not {path}")

    async def read(self):
        import json

        try:
            found = self.path.rglob(self.pattern) if self.recursive else self.path.glob(self.pattern)
            files = [str(each.relative_to(self.path)) for each in found if each.is_file()]
        except Exception as error:
            raise ResourceError(f"the folder {self.path} cannot be listed: {error}") from error
        return json.dumps({"files": files}, indent=2)
