"""The world outside of the sandbox, and how it is looked at."""
