"""The command lines: start, compress and replay. Arguments in, one call, an exit code out."""
