"""What is done to runs to see whether they survive it: the parts of `make torture`."""
