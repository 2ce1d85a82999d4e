"""The rules by which the residents of a town with a society work, trade, eat and care for each
other.

They read the state and return effects. No model is called.
"""
