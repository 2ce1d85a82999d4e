"""Laws that the user gives a town while it lives: proposed as a patch or drafted from words, judged
by the guard, and left in the run's inbox.
"""
