"""Perception: noticing events nearby and on the way, and rating their importance."""
