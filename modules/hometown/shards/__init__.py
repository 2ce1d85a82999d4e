"""Towns whose minds are spread over several processes, on one machine or many.

A shard (`shard.py`) perceives, retrieves, builds prompts, asks models and reads their replies for
its residents. The process of the run pairs those who talk, commits, walks and saves; it reaches the
shards through `RemoteMinds` (`remote_minds.py`), behind `hometown.agent.minds.Minds`. Shards are
actors of Ray (`cluster.py`), which is imported nowhere else, and Ray carries all that passes between
them.
"""
