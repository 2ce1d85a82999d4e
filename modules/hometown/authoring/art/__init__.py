"""Pixel art made by code: ground, walls, furniture and people, and the Tiled map that they add up
to. Needs Pillow.
"""
