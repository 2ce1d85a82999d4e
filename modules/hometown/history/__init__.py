"""Read-only views of a run: frames, diaries, conversations, the residents whom news reached. They
call no model and write nothing, except that `spread.write_spread` writes a report.
"""
