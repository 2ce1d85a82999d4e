"""The thinking of residents in a town with a society."""
