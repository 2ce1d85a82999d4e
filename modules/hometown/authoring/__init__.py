"""Creating and changing worlds: a starter world, imports from other systems, towns of districts,
edits of residents and maps, pictures made by code, and checks of all of them.
"""
