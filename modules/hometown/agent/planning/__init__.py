"""Planning: the day, its hours and tasks, the places for them, and occasions to attend."""
