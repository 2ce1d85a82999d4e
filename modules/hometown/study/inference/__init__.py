"""Statistics of studies: estimates with their intervals, paired tests, and corrections for several
comparisons.
"""
