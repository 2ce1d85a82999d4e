"""Creating worlds: starter worlds, imports from other systems, and checks of both."""
