"""Studies of runs: interviews with residents at any moment, questionnaires and their verdicts, and
comparisons of two runs.
"""
