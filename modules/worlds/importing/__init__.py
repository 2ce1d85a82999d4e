"""From other people's maps to a world of ours: readers yield a `Site` and `Newcomer`s, the rest is the same for all."""
