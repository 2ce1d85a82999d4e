"""One mind, one file per faculty: perceive, plan, act, converse, reflect.

A faculty reads the snapshot and writes nothing: it returns effects.
"""
