"""The scripted model: a rule-based stand-in behind the model boundary, a file per faculty. The main
ones (`model.ANSWERS` has them all):

    model        the boundary: which rules answer which kind of prompt
    planning     the day: current concerns, waking up, the outline of the day
    hours        the outline as an hourly schedule
    doing        the tasks of an hour and the places for them
    noticing     how much something matters, and whether to react
    reflecting   questions, insights and the thoughts that follow a conversation
    talking      the lines of a conversation

Words come from `data/scripted/<lang>/`; the rules choose among them by persona, memory and seed.
"""
