"""The rulebook of a society, read from a world's folder `society`: goods, recipes, fixtures, needs
and feelings.
"""
