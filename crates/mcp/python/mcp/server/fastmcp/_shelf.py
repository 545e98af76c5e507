"""Resources: those with a fixed address, and templates whose address has parts to fill in."""

import re

from mcp._shapes.base import ValidationError

from ._content import dump
from ._signature import Signature
from .exceptions import ResourceError
from .resources.base import FunctionResource, ReadResourceContents

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):(.*)", re.DOTALL)
# Addresses of these kinds have a path even where none is written.
_WITH_PATH = ("http", "https", "ws", "wss", "ftp", "file")


def normal_uri(uri):
    """An address in the one spelling it is known by, or None where it is none."""
    found = _SCHEME.fullmatch(str(uri).strip())
    if not found:
        return None
    scheme, rest = found[1].lower(), found[2]
    if rest.startswith("//"):
        rest = "".join(c if "!" <= c <= "~" and c not in '"<>`{}' else _escaped(c) for c in rest)
        if scheme in _WITH_PATH and "/" not in rest[2:]:
            rest += "/"
    return f"{scheme}:{rest}"


def _escaped(character):
    return "".join(f"%{byte:02X}" for byte in character.encode("utf-8", "replace"))


class Template:
    def __init__(self, fn, uri, told):
        self.fn, self.uri, self.told = fn, uri, told
        self.signature = Signature(fn)
        self.is_async = self.signature.is_async
        self.name = told.pop("name", None) or self.signature.name
        self.mime_type = told.pop("mime_type", None) or "text/plain"
        self.description = told.pop("description", None) or fn.__doc__ or ""
        asked, taken = set(re.findall(r"{(\w+)}", uri)), set(self.signature.parameter_names)
        if asked != taken:
            raise ValueError(f"the address {uri} has the parts {sorted(asked)}, but {self.signature.name} takes {sorted(taken)}")
        self.fields = self.signature.fields()
        pieces = re.split(r"{(\w+)}", uri)
        pieces[0::2] = map(re.escape, pieces[0::2])
        pieces[1::2] = (f"(?P<{name}>[^/]+)" for name in pieces[1::2])
        self._pattern = re.compile("".join(pieces))

    def match(self, uri):
        found = self._pattern.fullmatch(uri)
        return found.groupdict() if found else None

    def listed(self):
        named = {"uriTemplate": self.uri, "name": self.name, "description": self.description, "mimeType": self.mime_type}
        return {**named, **_extras(self.told)}

    async def read(self, parts, context):
        try:
            values, _given, _rest = self.fields.check(parts)
            if self.signature.context_name:
                values[self.signature.context_name] = context
            value = self.fn(**values)
            value = await value if self.is_async else value
            return await FunctionResource.content_of(value)
        except ValidationError as error:
            raise ResourceError(f"the address does not fit {self.uri}: {' '.join(error.lines())}") from None
        except Exception as error:
            raise ResourceError(f"the resource {self.uri} failed: {error}") from error


class Shelf:
    """All resources of a server."""

    def __init__(self, warn):
        self.fixed, self.templates, self._warn = {}, {}, warn

    def add(self, resource):
        if resource.uri in self.fixed:
            self._warn(f"there is a resource {resource.uri} already; the first one is kept")
            return self.fixed[resource.uri]
        self.fixed[resource.uri] = resource
        return resource

    def add_function(self, fn, uri, told):
        if ("{" in uri and "}" in uri) or Signature(fn).takes_anything:
            template = Template(fn, uri, told)
            self.templates[uri] = template
            return template
        return self.add(FunctionResource.from_function(fn, uri, **told))

    def find(self, uri):
        """(resource, None), (template, the parts of the address), or (None, None)."""
        if uri in self.fixed:
            return self.fixed[uri], None
        for template in list(self.templates.values()):
            parts = template.match(uri)
            if parts is not None:
                return template, parts
        return None, None

    def is_async(self, uri):
        found, _parts = self.find(uri)
        return bool(found and found.is_async)

    async def read(self, uri, context):
        found, parts = self.find(uri)
        if found is None:
            raise ResourceError(f"there is no resource {uri}")
        content = await found.read() if parts is None else await found.read(parts, context)
        meta = found.meta if parts is None else found.told.get("meta")
        return [ReadResourceContents(content, found.mime_type, meta)]


def _extras(told):
    names = {"title": "title", "icons": "icons", "annotations": "annotations", "meta": "_meta"}
    return {names[k]: dump(v) for k, v in told.items() if v is not None and k in names}
