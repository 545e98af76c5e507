"""Small things that authors import by their official paths."""
