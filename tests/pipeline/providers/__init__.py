"""Whole turns with Claude and OpenAI at the other end of the wire."""
