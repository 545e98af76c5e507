"""What a function returned, as the content blocks a client can show."""

from mcp._shapes.jsonable import json_text, loaded

from .utilities.types import Audio, Image

_BLOCKS = ("TextContent", "ImageContent", "AudioContent", "ResourceLink", "EmbeddedResource")


def text_block(text):
    return {"type": "text", "text": text}


def to_content(value):
    """One block for each thing. Lists are taken apart, so text and images may be mixed."""
    if value is None:
        return []
    if isinstance(value, str):
        return [text_block(value if type(value) is str else _exact(value))]
    if isinstance(value, Image):
        return [dump(value.to_image_content())]
    if isinstance(value, Audio):
        return [dump(value.to_audio_content())]
    if isinstance(value, (list, tuple)):
        return [block for item in value for block in to_content(item)]
    if is_block(value):
        return [dump(value)]
    return [text_block(json_text(value))]


def _exact(text):
    """A member of a text enum is shown as its value."""
    return text.value if hasattr(type(text), "_member_map_") else str.__str__(text)


def is_block(value):
    """Whether the value is one of the content types. Where mcp.types is not loaded nothing can be."""
    return any(isinstance(value, loaded("mcp.types", name) or ()) for name in _BLOCKS)


def dump(model):
    """A protocol object as JSON: the protocol's names, and no nulls. Plain data stays as it is."""
    if isinstance(model, (list, tuple)):
        return [dump(item) for item in model]
    if hasattr(type(model), "model_dump"):
        return model.model_dump(mode="json", by_alias=True, exclude_none=True)
    return model
