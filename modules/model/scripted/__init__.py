"""The scripted model: a rule-based stand-in behind the model boundary, a file per faculty.

    model        the boundary: which rules answer which kind of prompt
    planning     the day: what is going on, waking, broad strokes
    hours        the strokes at their times
    doing        the tasks of an hour and the places for them
    noticing     how much something matters, and whether to react
    reflecting   questions, insights and what talks leave behind
    talking      what is said

Words come from `data/scripted/<lang>/`; the rules choose among them by persona, memory and seed.
"""
