"""Rankings of answers under several conditions, and their statistics: the valid ones, and those
that Park et al. (2023) published.
"""
