"""The command lines: `hometown` with its subcommands, and the three scripts. Arguments in, one
call, an exit code out.
"""
