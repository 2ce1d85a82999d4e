"""One mind, a file per faculty, in the order of the data: perceive, plan, act, converse, reflect.

A faculty reads the snapshot and writes nothing: it returns effects.
"""
