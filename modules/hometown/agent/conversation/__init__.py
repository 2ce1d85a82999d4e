"""Conversations: meetings, turns, lines, bystanders, and the effects on those who took part."""
