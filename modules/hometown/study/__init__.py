"""Studies of runs: interviews with residents at any moment, questionnaires and their verdicts,
comparisons of two runs, measures, experiments, laws judged by simulation, and files to learn.
"""
