"""The texts of a run's diary and of its replay in other players."""

from __future__ import annotations

from hometown.text import N_, pgettext

REPORT_TEXTS = {
    "scripted": pgettext("in a diary", "scripted (no language model)"),
    "recorded": N_("recorded: no model on this machine"),
    "recording": N_(
        "A recording: no model on this machine wrote the replies of its residents. It shows how "
        "the town lives with a capable mind."
    ),
    "recording_until": N_(
        "Up to {end} a recording: no model on this machine wrote the replies of its residents until "
        "then."
    ),
    "on_the_way": N_("on the way to {place}"),
    "talking": pgettext("in a diary", "talking with {name}"),
    "at_place": N_("At {place}"),
    "says": N_("{name}: {text}"),
    "title": N_("{world}: a diary"),
    "what_this_is_model": N_(
        "A diary of simulated days: run **{run}**, from {start} to {end}. Its "
        "residents remember, plan, walk, talk and reflect on their own; nothing they "
        "do after that start was written in advance."
    ),
    "what_this_is_habits": N_(
        "A diary of simulated days: run **{run}**, from {start} to {end}. The "
        "residents’ days come from their habits, whose hours, steps and places were "
        "written in advance; a language model chose among them at most, or changed some. "
        "Activities in the words of a habit are marked {mark}. What the residents say and "
        "think is the model’s own."
    ),
    "what_this_is_rules": N_(
        "A diary of simulated days: run **{run}**, from {start} to {end}. No "
        "language model took part: rules let the residents remember, plan, walk, talk "
        "and reflect, in phrases and habits that were written in advance. Activities in "
        "the words of a habit are marked {mark}."
    ),
    "what_this_is_mixed": N_(
        "A diary of simulated days: run **{run}**, from {start} to {end}. The "
        "residents’ days come from different sources: {sources}. Activities in the words "
        "of a habit are marked {mark}."
    ),
    "source_model": N_("{names}: a language model that plans freely"),
    "source_habits": N_(
        "{names}: habits that were written in advance, among which a language model chooses"
    ),
    "source_rules": N_(
        "{names}: rules, in phrases and habits that were written in advance, without a language model"
    ),
    "source_separator": pgettext("between sources of days", "; "),
    "no_world": N_(
        "The run's world could not be loaded, so residents and places appear by their ids: {reason}"
    ),
    "fact_model": N_("Model:"),
    "fact_time": N_("Time:"),
    "steps_of": N_("{steps} of {stride}"),
    "fact_seed": N_("Seed:"),
    "fact_calls": N_("Model calls:"),
    "calls": N_(
        "{calls}, {retried} of them asked again, {fallbacks} answered by a fallback; "
        "mendings of replies: {mended}"
    ),
    "fact_state": N_("Status:"),
    "contents": N_("Contents"),
    "residents": N_("Residents"),
    "places": pgettext("of notes", "Places"),
    "days": pgettext("of notes", "Days"),
    "age_and_work": N_("{age} years old, {occupation}"),
    "innate": N_("Character:"),
    "learned": N_("Background:"),
    "lifestyle": N_("Way of life:"),
    "daily_plan": N_("A typical day:"),
    "relations": N_("Knows:"),
    "item": N_("{name} ({text})"),
    "list_separator": N_(", "),
    "day_summary": N_("Conversations: {conversations}. New thoughts: {thoughts}."),
    "director_move": N_("🎬 {time} · the director planted {kind} ({where}): {text}"),
    "director_reason": N_(" (reason: {why})"),
    "column_name": N_("Resident"),
    "column_awake": N_("Awake"),
    "column_place": N_("Mostly at"),
    "column_conversations": N_("Talked with"),
    "column_thoughts": N_("New thoughts"),
    "comma": pgettext("in a line", ", "),
    "conversation_with": N_("conversation with {name}"),
    "conversations": N_("Conversations"),
    "comes": N_("{name} joins them"),
    "leaves": N_("{name} leaves"),
    "speaker": N_("{name}:"),
    "conversation_summary": N_("*{minutes} min.* {summary}"),
    "thoughts": N_("Thoughts"),
    "news": N_("How news spread"),
    "news_about": N_(
        "What residents learnt from one another, and from whom. Each time links to the "
        "conversation."
    ),
    "no_news": N_("No news has been passed on yet."),
    "other_news": N_("Other news"),
    "learnt": N_("**{name}** learnt from **{teller}**:"),
    "overheard": N_("**{teller}**, overheard by {names}: “{line}”"),
    "gathering": N_("The gathering:"),
    "gathering_at": N_("{place}, {span}"),
    "to_come": N_(" (still to come)"),
    "under_way": N_(" (under way)"),
    "hosts": N_("Hosted by:"),
    "know_of_it": N_("Know of it:"),
    "came": N_("Came:"),
    "chanced_by": N_("Also there:"),
    "stayed_away": N_("Knew and stayed away:"),
    "visit": N_("{name} ({minutes} min)"),
    "nobody": N_("nobody"),
    "repetitions": N_("Repetition"),
    "repetitions_about": N_(
        "Repetition usually means that the model has run out of ideas, not that little "
        "is happening."
    ),
    "repeats_line": N_("**{name}** said the same thing {times} times: {text}"),
    "repeats_activity": N_("**{name}** began the same activity {times} times in a row: {text}"),
    "repeats_thought": N_("**{name}** had the same thought {times} times: {text}"),
    "weekdays": N_("Monday Tuesday Wednesday Thursday Friday Saturday Sunday"),
    "months": N_(
        "January February March April May June July August September October November December"
    ),
    "date": N_("{weekday}, {day} {month} {year}"),
    "short_date": N_("{weekday} {day} {month}"),
    "meetings": N_("Meetings"),
    "came_late": N_("Came late:"),
    "was_elsewhere": N_("{name} had agreed to come and was elsewhere: {doing}"),
    "timetable": N_("Plan and timetable"),
}
