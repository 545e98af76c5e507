"""Asking the person at the client, and what may come back."""

from mcp._shapes.model import BaseModel


class AcceptedElicitation(BaseModel):
    action: str = "accept"
    data: object

    def __class_getitem__(cls, _parameters):
        return cls


class DeclinedElicitation(BaseModel):
    action: str = "decline"


class CancelledElicitation(BaseModel):
    action: str = "cancel"


async def elicit_with_validation(session, message, schema, related_request_id=None):
    """Ask for the fields of a model; the answer is checked before the author sees it."""
    result = await session.elicit(message, schema.model_json_schema())
    if result.action == "accept" and result.content is not None:
        return AcceptedElicitation(data=schema.model_validate(result.content))
    if result.action == "decline":
        return DeclinedElicitation()
    if result.action == "cancel":
        return CancelledElicitation()
    raise ValueError(f"the client answered with the action {result.action!r}, which means nothing here")
