"""The codebook of an experiment's tables: the type and the meaning of every column."""

from __future__ import annotations

from collections.abc import Mapping

RESULTS = "results"
"""The table beside the folder of the others, which the scripts compute anew."""

RUN_KEY = {
    "condition": ("name", "the condition; with seed, the run: all tables of runs join by both"),
    "seed": ("integer", "the seed of the run"),
}

DEFINITION_COLUMN = {"definition": ("hash", "the definition of the experiment, as preregistered")}

RANKED = {
    "who": ("id", "the resident"),
    "question": ("id", "the block of answers; block in answers"),
    "access": ("name", "the kind of access of the answer"),
}

PLACED = {
    "place": ("integer", "the place in the order, 1 for the most believable answer"),
    "length": ("integer", "characters of the answer"),
}

INTERVIEW = {
    "questionnaire": ("name", "the questionnaire"),
    "moment": ("name", "the wave: start, end, or a moment between"),
    "step": ("integer", "the step after which the resident was asked"),
    "access": ("name", "the content that the prompt was allowed"),
}

TABLES: Mapping[str, dict[str, tuple[str, str]]] = {
    "runs": {
        "parent": ("name", "the run from which this one forks, empty for none"),
        "at": ("integer", "the last step that it shares with its parent"),
        "steps": ("integer", "its last step"),
        "residents": ("integer", "the number of residents"),
        "model": ("name", "the language model; scripted for the stand-in"),
        "digest": ("hash", "the chained digest of all steps"),
        "start": ("time", "the time in the town at step 0"),
        "stride": ("minutes", "the length of a step"),
    },
    "provenance": {
        "run": ("name", "the run"),
        "hometown": ("version", "of Hometown"),
        "engine": ("integer", "the number of the rules of the simulation"),
        "python": ("version", "of Python"),
        "world": ("hash", "the files of the world"),
        "prompts": ("hash", "the texts of all prompts, as the run began; or unknown"),
        "model": ("name", "the language model"),
        "model_digest": ("hash", "the weights, as the model's server names them; or unknown"),
        "quantisation": ("name", "of the weights, as the server names it; or unknown"),
        "embedding": ("name", "the embedding of memories"),
        "sampling": (
            "JSON",
            "context, temperature and maximum of tokens, by kind of prompt, as the run began; or unknown",
        ),
        "settings": ("JSON", "the settings of the run"),
        "machine": ("name", "operating system and processor on which the run began; or unknown"),
        "created": ("time", "of the real world"),
    },
    "storylines": {
        "story": ("id", "the storyline; about in answers"),
        "title": ("text", "its title; story in learned and channels, about in measures"),
    },
    "measures": {
        "measure": ("name", "MEASURE.FIGURE, with @WAVE for interviews between start and end"),
        "about": ("text", "the title of the storyline, empty for the whole town"),
        "value": (
            "number",
            "the value; empty for a storyline of the world that no resident of any run ever knows of",
        ),
        "kind": ("name", "share (0 to 1), count, time (hours) or score"),
    },
    "learned": {
        "story": ("text", "the title of the storyline"),
        "who": ("id", "a resident with a memory of it"),
        "step": ("integer", "the step of the first one"),
        "teller": ("id", "the resident who told them, empty for none"),
    },
    "channels": {
        "story": ("text", "the title of the storyline"),
        "who": ("id", "a resident with a memory of it"),
        "channel": ("name", "start, told, overheard, saw, read, inferred or injected"),
        "step": ("integer", "the step of the first memory by this channel"),
        "teller": ("id", "the resident who told them, or whom they overheard"),
        "memory": ("integer", "the number of the memory"),
    },
    "answers": {
        **INTERVIEW,
        "who": ("id", "the resident"),
        "question": ("id", "the question in its questionnaire"),
        "about": ("id", "what fills its blank: a storyline, a resident or a time"),
        "text": ("text", "the question"),
        "category": ("name", "the category of the question"),
        "answer": ("text", "the answer"),
        "knows": ("name", "yes, no or unsure"),
        "outcome": ("name", "how the reply was read; fallback for no usable one"),
        "verdict": ("name", "by rule"),
        "cited": ("integer", "the number of cited memories"),
        "item": (
            "name",
            "the kind of a closed question: choice, scale, slider or allocation, or the role in a game; empty for an open one",
        ),
        "options": (
            "text",
            "the options of a closed question, or what is divided, in the order shown; of numbers the lowest and the highest",
        ),
        "position": ("integer", "the position of the chosen option as shown, from 1"),
        "score": (
            "integer",
            "the item's score on its scale, turned round if it is reversed; of numbers the number",
        ),
        "refused": ("0 or 1", "1 for a refusal to answer a closed question"),
        "probability": (
            "number",
            "the probability of the answer to a closed question by its model, at temperature 1; empty where the server does not give it",
        ),
        "expected": (
            "number",
            "the mean of the scores, or of the numbers, weighted by their probabilities, without the refusal",
        ),
        "probabilities": (
            "text",
            "the probabilities of all options in the order shown, or of all numbers, the refusal last",
        ),
        "judged": ("name", "the verdict by the judge, empty for none"),
        "block": ("id", "the block of answers; question in rankings, people and readings"),
    },
    "allocations": {
        **INTERVIEW,
        "who": ("id", "the resident"),
        "question": ("id", "the question in its questionnaire"),
        "thing": ("text", "one of the things among which the total is divided"),
        "amount": ("integer", "its amount"),
    },
    "games": {
        **INTERVIEW,
        "game": ("name", "dictator, trust or public_goods"),
        "endowment": ("integer", "coins of a giver, sender or contributor"),
        "multiplier": ("integer", "the factor of what is sent, or of what a group contributes"),
        "who": ("id", "the resident"),
        "role": ("name", "giver, sender, receiver or contributor"),
        "partner": ("id", "the other resident; of a contributor the number of the group"),
        "stake": ("integer", "the greatest possible amount"),
        "amount": (
            "integer",
            "coins given, sent, returned or contributed; empty for a refusal or no usable reply",
        ),
        "payoff": ("number", "coins in the end; empty where a decision is missing"),
    },
    "rankings": {
        "judge": ("name", "model or people"),
        **RANKED,
        "rank": ("number", "the rank in the block, 1 for the most believable answer"),
    },
    "people": {"rater": ("id", "the person who ranked"), **RANKED, **PLACED},
    "readings": {
        **{name: RANKED[name] for name in ("who", "question")},
        "reading": ("integer", "the number of the order in which the block was shown"),
        "position": ("integer", "the position in which the answer was shown"),
        "access": RANKED["access"],
        **PLACED,
        "outcome": ("name", "how the judge's reply was read"),
    },
}

CODEBOOK: Mapping[str, dict[str, tuple[str, str]]] = {
    **{name: {**RUN_KEY, **columns, **DEFINITION_COLUMN} for name, columns in TABLES.items()},
    "comparisons": {
        "comparison": ("text", "the condition, or the levels of an effect"),
        "against": ("text", "that with which it is compared"),
        "factor": ("text", "the factor, or the two of an interaction; empty for two conditions"),
        "confirmatory": ("0 or 1", "1 if the claim of the primary outcome has it"),
        "measure": ("name", "the primary outcome"),
        "about": ("text", "its storyline"),
        "same_within": ("number", "the margin of a claim of sameness, empty for one of difference"),
        "condition": ("name", "a condition of the comparison"),
        "weight": ("number", "its weight in the difference"),
        **DEFINITION_COLUMN,
    },
    "levels": {
        "condition": RUN_KEY["condition"],
        "factor": ("name", "a factor of the design"),
        "level": ("name", "its level in this condition"),
        **DEFINITION_COLUMN,
    },
    "reference": {
        "questionnaire": INTERVIEW["questionnaire"],
        "question": ("id", "the question in its questionnaire"),
        "who": ("id", "the resident who stands for the person"),
        "answer": ("text", "the person's answer"),
        "retest": ("text", "their answer at a later time, empty for none"),
        "score": ("integer", "the score of the answer, empty for a choice"),
        "retest_score": ("integer", "that of the later one"),
        "low": ("integer", "the lowest possible score"),
        "high": ("integer", "the highest possible score"),
        **DEFINITION_COLUMN,
    },
    RESULTS: {
        "kind": ("name", "estimate, contrast (a difference of conditions) or ranking"),
        "measure": ("name", "MEASURE.FIGURE; rankings.model and rankings.people of rankings"),
        "about": ("text", "the title of the storyline; of rankings the kind of access"),
        "condition": ("name", "the condition; of contrasts the comparison"),
        "against": ("text", "that with which it is compared; of rankings a kind of access"),
        "statistic": (
            "name",
            "mean, median, mean rank, worth, missing (answers), Skillings-Mack, win probability, "
            "Kruskal-Wallis or Dunn. Without a row, since it is drawn at random: TrueSkill. Without "
            "a row, since they describe the judge and no outcome: its controls and its agreement "
            "with rules. Both are in results.json",
        ),
        "n": ("integer", "towns or residents; of worth, missing and published tests blocks"),
        "value": ("number", "the statistic"),
        "low": ("number", "lower limit of the 95 % interval, empty for none"),
        "high": ("number", "upper limit of the 95 % interval, empty for none"),
        "mean": ("number", "the mean difference, of contrasts"),
        "p": ("number", "the p-value, empty where no test is allowed or planned"),
        "adjusted": ("number", "the p-value after Holm"),
    },
}
"""Type and meaning of each column, by table and column."""
