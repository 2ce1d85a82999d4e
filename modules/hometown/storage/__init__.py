"""The database of one run, and the vector store on it."""
