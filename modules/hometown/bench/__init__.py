"""The bench: situations from the life of the towns that ship, each put to a language model, and
scores of its replies by rule.
"""
