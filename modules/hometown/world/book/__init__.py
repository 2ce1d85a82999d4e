"""What a world's folder `society` says: its kinds of goods, what can be done with them, and what
bodies need.
"""
