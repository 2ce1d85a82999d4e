"""Making worlds: a new one to edit, one brought from elsewhere, and what is wrong with either."""
