"""What the official package keeps under mcp.shared, as far as authors use it."""
