"""Towns whose minds are spread over several processes, on one machine or many.

A shard thinks, retrieves, builds prompts, asks models and reads their replies for its residents
(`shard.py`). The process of the run pairs, commits, walks and saves (`minds.py`, behind
`hometown.agent.minds.Minds`). Between processes goes nothing but encoded messages (`wire.py`), also
between shards whose residents talk with each other (`neighbours.py`, `talking.py`). What starts the
processes is Ray (`cluster.py`), which is imported nowhere else.
"""
