"""A league of models: each lives the same hours of the same town, and one page compares them."""
