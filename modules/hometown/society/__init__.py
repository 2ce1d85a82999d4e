"""The rules by which a town with a society works, eats and trades. They read the state and give
effects; no model is asked.
"""
