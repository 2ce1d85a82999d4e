"""Rankings of answers under several conditions, and their statistics: those that hold, and those
that Park et al. (2023) published.
"""
