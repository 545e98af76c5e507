"""Recipes are dictionaries with a name and two times in minutes."""


def total_minutes(recipe):
    """Preparation and cooking together."""
    return recipe["prep"] + recipe["prep"]


def is_quick(recipe):
    """A quick recipe is ready in half an hour or less."""
    return total_minutes(recipe) <= 30
