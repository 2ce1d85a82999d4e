"""The texts of the town's newspaper."""

from __future__ import annotations

from hometown.text import N_, pgettext

GAZETTE_TEXTS = {
    "title": N_("{world} Gazette"),
    "and": N_(" and "),
    "comma": N_(", "),
    "and_more": pgettext("in a newspaper", "{names} and {count} more"),
    "gathering": N_("{story}: {count} came"),
    "gathering_alone": N_("{story}: nobody came"),
    "fell_through": N_("{story}: fell through"),
    "host_missing": N_("The guests waited in vain for the host: {hosts}."),
    "stood_in": N_("Stood in as host: {names}."),
    "called_off": N_("{story}: called off"),
    "gathering_deck": N_("{place}, {time}. Hosted by {hosts}."),
    "witnesses": N_("Seen by {names}."),
    "told_of_it": N_("Heard of it afterwards: {names}."),
    "came": N_("Guests: {names}."),
    "chanced_by": N_("Also there: {names}."),
    "stayed_away": N_("Knew of it and stayed away: {names}."),
    "word": N_("Word gets around: {story}"),
    "many_know": N_("Widely known: {story}"),
    "all_know": N_("Everybody knows: {story}"),
    "news_deck": N_("New to {count} today; {known} of {all} know."),
    "told": N_("{teller} told {name} of it at {place}, {time}."),
    "told_on": N_("Later in the day, {names} heard of it, too."),
    "planted": N_("{text} (planted by the director)"),
    "planted_event": N_("The director of this town has planted it."),
    "goes_on": N_("It is not over."),
    "ended": N_("It was over at {time}."),
    "ended_by": N_("{names} put an end to it; it was over at {time}."),
    "left_behind": N_("What it left behind: {text}."),
    "heard": N_("Heard of it today: {names}."),
    "meeting": N_("{names} talk"),
    "strangers": N_("{names} get to know each other"),
    "meeting_deck": N_("{place}, {time}"),
    "agreed": N_("{names}: {what}"),
    "section_thoughts": N_("Thought in silence"),
    "section_notices": N_("Notices"),
    "section_coming": N_("Coming up"),
    "section_figures": N_("The day in figures"),
    "issue": N_("No. {number}"),
    "quiet": N_("Nothing worth printing happened today."),
    "imprint": N_(
        "Made by rule from what the run {run} recorded; what is quoted was said or "
        "thought by its residents."
    ),
    "agreement": N_("{names} agree: {what}"),
    "section_threads": N_("Threads"),
    "section_market": N_("The market"),
    "thread": N_("{title}. {text}"),
    "line": N_("“{line}”"),
    "line_deck": N_("{speaker}, in a conversation of {names} · {place}, {time}"),
    "arrivals": N_("{first} came first, at {began}, and {last} last, at {ended}."),
}
