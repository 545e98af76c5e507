from decimal import Decimal
from fractions import Fraction
from typing import Literal, Optional, Union

from pydantic import BaseModel, ConfigDict, Field, field_validator

from mcp.server.fastmcp import FastMCP

mcp = FastMCP("Recipe Scaler")


class Ingredient(BaseModel):
    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)

    name: str = Field(..., min_length=1)
    amount: float = Field(..., gt=0, description="Amount for the whole recipe")
    unit: Literal["g", "ml", "pcs", "tbsp", "tsp"] = "g"

    @field_validator("name")
    @classmethod
    def lower(cls, value: str) -> str:
        return value.lower()


class Recipe(BaseModel):
    """A recipe with its ingredients."""

    title: str
    servings: int = Field(4, ge=1, le=100)
    ingredients: list[Ingredient] = Field(..., min_length=1)
    notes: Optional[str] = None


@mcp.tool()
def scale(recipe: Recipe, servings: int) -> Recipe:
    """Scale a recipe to another number of servings."""
    if servings < 1:
        raise ValueError("servings must be positive")
    factor = servings / recipe.servings
    scaled = [i.model_copy(update={"amount": round(i.amount * factor, 2)}) for i in recipe.ingredients]
    return recipe.model_copy(update={"servings": servings, "ingredients": scaled})


@mcp.tool()
def shopping_list(recipes: list[Recipe]) -> str:
    """Combine the ingredients of several recipes."""
    totals: dict[tuple[str, str], float] = {}
    for recipe in recipes:
        for item in recipe.ingredients:
            totals[(item.name, item.unit)] = totals.get((item.name, item.unit), 0) + item.amount
    return "\n".join(f"- {name}: {amount:g} {unit}" for (name, unit), amount in sorted(totals.items()))


@mcp.tool()
def price(amount: Decimal, per_unit: Decimal, discount: Union[int, float] = 0) -> dict:
    """Exact price of an ingredient."""
    total = amount * per_unit * (Decimal(100) - Decimal(str(discount))) / 100
    return {"total": total.quantize(Decimal("0.01")), "discount": discount}


@mcp.tool()
def nice_fraction(amount: float, max_denominator: int = 8) -> str:
    """Show an amount as a kitchen fraction."""
    return str(Fraction(amount).limit_denominator(max_denominator))


if __name__ == "__main__":
    mcp.run()
