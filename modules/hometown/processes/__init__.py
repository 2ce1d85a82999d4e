"""Processes on a town that an experiment can switch on: opinions that conversations move, and an
illness that passes by contact.
"""
