"""The rules by which the residents of a town with a society work, trade, eat and care for each
other.

They read the state and return effects, and call no model; only the thinking of residents, in
`minds`, does.
"""
