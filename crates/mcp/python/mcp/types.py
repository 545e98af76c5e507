"""The protocol's objects that authors build or receive.

Loaded only when someone asks for one: a tool that returns text needs none of them. Their fields are
those of the protocol; unknown fields are kept.
"""

from typing import Annotated, Any, Dict, List, Literal, Optional, Union

from mcp._shapes.extras import AnyUrl
from mcp._shapes.fields import Field
from mcp._shapes.model import BaseModel

LATEST_PROTOCOL_VERSION = "2025-11-25"
PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, INTERNAL_ERROR = -32700, -32600, -32601, -32602, -32603
Role = Literal["user", "assistant"]
LoggingLevel = Literal["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]


class _Open(BaseModel, extra="allow"):
    pass


class Annotations(_Open):
    audience: Optional[List[Role]] = None
    priority: Optional[Annotated[float, Field(ge=0.0, le=1.0)]] = None


class Icon(_Open):
    src: str
    mimeType: Optional[str] = None
    sizes: Optional[List[str]] = None


class TextContent(_Open):
    type: Literal["text"]
    text: str
    annotations: Optional[Annotations] = None
    meta: Optional[Dict[str, Any]] = Field(None, alias="_meta")


class ImageContent(_Open):
    type: Literal["image"]
    data: str
    mimeType: str
    annotations: Optional[Annotations] = None
    meta: Optional[Dict[str, Any]] = Field(None, alias="_meta")


class AudioContent(_Open):
    type: Literal["audio"]
    data: str
    mimeType: str
    annotations: Optional[Annotations] = None
    meta: Optional[Dict[str, Any]] = Field(None, alias="_meta")


class ResourceContents(_Open):
    uri: AnyUrl
    mimeType: Optional[str] = None
    meta: Optional[Dict[str, Any]] = Field(None, alias="_meta")


class TextResourceContents(ResourceContents):
    text: str


class BlobResourceContents(ResourceContents):
    blob: str


class EmbeddedResource(_Open):
    type: Literal["resource"]
    resource: Union[TextResourceContents, BlobResourceContents]
    annotations: Optional[Annotations] = None
    meta: Optional[Dict[str, Any]] = Field(None, alias="_meta")


class Resource(_Open):
    name: str
    title: Optional[str] = None
    uri: AnyUrl
    description: Optional[str] = None
    mimeType: Optional[str] = None
    size: Optional[int] = None
    icons: Optional[List[Icon]] = None
    annotations: Optional[Annotations] = None
    meta: Optional[Dict[str, Any]] = Field(None, alias="_meta")


class ResourceLink(Resource):
    type: Literal["resource_link"]


ContentBlock = Union[TextContent, ImageContent, AudioContent, ResourceLink, EmbeddedResource]
Content = ContentBlock


class ToolAnnotations(_Open):
    title: Optional[str] = None
    readOnlyHint: Optional[bool] = None
    destructiveHint: Optional[bool] = None
    idempotentHint: Optional[bool] = None
    openWorldHint: Optional[bool] = None


class Tool(_Open):
    name: str
    title: Optional[str] = None
    description: Optional[str] = None
    inputSchema: Dict[str, Any]
    outputSchema: Optional[Dict[str, Any]] = None
    icons: Optional[List[Icon]] = None
    annotations: Optional[ToolAnnotations] = None
    meta: Optional[Dict[str, Any]] = Field(None, alias="_meta")


class CallToolResult(_Open):
    meta: Optional[Dict[str, Any]] = Field(None, alias="_meta")
    content: List[ContentBlock]
    structuredContent: Optional[Dict[str, Any]] = None
    isError: bool = False


class PromptMessage(_Open):
    role: Role
    content: ContentBlock


class PromptArgument(_Open):
    name: str
    description: Optional[str] = None
    required: Optional[bool] = None


class GetPromptResult(_Open):
    description: Optional[str] = None
    messages: List[PromptMessage]


class SamplingMessage(_Open):
    role: Role
    content: Union[TextContent, ImageContent, AudioContent, List[ContentBlock]]

    @property
    def content_as_list(self):
        return self.content if isinstance(self.content, list) else [self.content]


class ModelHint(_Open):
    name: Optional[str] = None


class ModelPreferences(_Open):
    hints: Optional[List[ModelHint]] = None
    costPriority: Optional[float] = None
    speedPriority: Optional[float] = None
    intelligencePriority: Optional[float] = None


class CreateMessageResult(_Open):
    role: Role
    content: Union[TextContent, ImageContent, AudioContent]
    model: str
    stopReason: Optional[str] = None


class ElicitResult(_Open):
    action: Literal["accept", "decline", "cancel"]
    content: Optional[Dict[str, Any]] = None


class Root(_Open):
    uri: AnyUrl
    name: Optional[str] = None


class ListRootsResult(_Open):
    roots: List[Root]


class EmptyResult(_Open):
    pass


class ErrorData(_Open):
    code: int
    message: str
    data: Any = None


class Implementation(_Open):
    name: str
    title: Optional[str] = None
    version: str


class SamplingCapability(_Open):
    pass


class ElicitationCapability(_Open):
    pass


class RootsCapability(_Open):
    listChanged: Optional[bool] = None


class ClientCapabilities(_Open):
    experimental: Optional[Dict[str, Dict[str, Any]]] = None
    sampling: Optional[SamplingCapability] = None
    elicitation: Optional[ElicitationCapability] = None
    roots: Optional[RootsCapability] = None


class PromptReference(_Open):
    type: Literal["ref/prompt"]
    name: str


class ResourceTemplateReference(_Open):
    type: Literal["ref/resource"]
    uri: str


class CompletionArgument(_Open):
    name: str
    value: str


class CompletionContext(_Open):
    arguments: Optional[Dict[str, str]] = None


class Completion(_Open):
    values: List[str]
    total: Optional[int] = None
    hasMore: Optional[bool] = None


class _CompleteParams(_Open):
    ref: Union[ResourceTemplateReference, PromptReference]
    argument: CompletionArgument
    context: Optional[CompletionContext] = None


class _Blocks(BaseModel):
    blocks: List[ContentBlock]


def content_blocks(plain):
    """Content as objects, for authors who call a tool in their own process."""
    return _Blocks(blocks=plain).blocks


def dumped(value):
    """Protocol objects as JSON, wherever they stand."""
    if isinstance(value, list):
        return [dumped(each) for each in value]
    return value.model_dump(mode="json", by_alias=True, exclude_none=True) if isinstance(value, BaseModel) else value


async def completed(handler, params):
    """The answer to completion/complete from the author's handler."""
    asked = _CompleteParams.model_validate(params)
    found = await handler(asked.ref, asked.argument, asked.context)
    return {"completion": dumped(found) if found is not None else {"values": []}}
