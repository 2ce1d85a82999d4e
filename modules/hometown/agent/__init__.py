"""The minds of residents: perceive, plan, act, converse, reflect (Park et al. 2023).

`agent.py` is one resident's step; `thinking_group.py` runs the steps of all residents and their
conversations concurrently; `deferred.py` answers the questions that a step leaves to the next one.
`minds.py` is the interface through which the engine uses all of these. The faculties themselves are
in the rooms, each of which imports only from those before it: `mind`, `perception`, `inner_life`
and `working`, `planning`, `acting`, `conversation`.

A faculty reads a frozen snapshot of the town and returns effects. It never writes the state.
"""
