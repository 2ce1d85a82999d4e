"""Laws that the user gives a running town: proposed as a patch or drafted from words, judged by
simulation, and left in the run's inbox.
"""
