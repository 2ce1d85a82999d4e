"""The context of every faculty: a resident's private view of the town, its effects, its model calls
and its feelings.
"""

from hometown.agent.mind.mind import Mind
from hometown.agent.mind.new_memories import NewMemory, concepts

__all__ = ["Mind", "NewMemory", "concepts"]
