"""Acting: the choice of the next action, and reactions to residents and events in sight."""
