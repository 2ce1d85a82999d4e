"""The measures of a run, one module each; `hometown.study.measuring` runs them all.

Each measure imports what reads a run when it is called: the check of an experiment needs only the
names of its figures.
"""
