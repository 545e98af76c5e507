"""Flash cards with spaced repetition, kept in memory."""
from __future__ import annotations

from typing import Annotated, Optional

from pydantic import BaseModel, Field, model_validator

from mcp.server.fastmcp import FastMCP
from mcp.server.fastmcp.prompts import base

mcp = FastMCP("Flash Cards")


class Card(BaseModel):
    front: str = Field(description="The question")
    back: str = Field(description="The answer")
    box: int = Field(default=1, ge=1, le=5)
    tags: list[str] = []
    hint: Optional[str] = None

    @model_validator(mode="after")
    def sides_differ(self) -> Card:
        if self.front == self.back:
            raise ValueError("front and back must differ")
        return self


class Deck(BaseModel):
    name: str
    cards: list[Card] = []
    sub_decks: list[Deck] = []


DECKS: dict[str, Deck] = {}


@mcp.tool()
def create_deck(name: str, cards: list[Card] | None = None) -> Deck:
    """Create a deck, with cards if there are any."""
    DECKS[name] = Deck(name=name, cards=cards or [])
    return DECKS[name]


@mcp.tool()
def add_card(deck: str, card: Card) -> int:
    """Add a card and return the number of cards in the deck."""
    if deck not in DECKS:
        raise KeyError(deck)
    DECKS[deck].cards.append(card)
    return len(DECKS[deck].cards)


@mcp.tool()
def review(deck: str, index: Annotated[int, Field(ge=0)], correct: bool) -> dict:
    """Record a review: a right answer moves the card up a box, a wrong one back to the first."""
    card = DECKS[deck].cards[index]
    card.box = min(5, card.box + 1) if correct else 1
    return card.model_dump(exclude_none=True)


@mcp.tool()
def export(deck: str, indent: int | None = None) -> str:
    """Export a deck as JSON."""
    return DECKS[deck].model_dump_json(indent=indent)


@mcp.resource("deck://{name}/cards/{index}")
def card_side(name: str, index: int) -> str:
    return DECKS[name].cards[index].front


@mcp.prompt(title="Quiz me")
def quiz(deck: str, count: str = "3") -> list[base.Message]:
    """Start a quiz."""
    return [
        base.UserMessage(f"Quiz me on {deck} with {count} cards."),
        base.AssistantMessage("Ready. First question?"),
    ]


if __name__ == "__main__":
    mcp.run()
