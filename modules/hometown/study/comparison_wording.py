"""The texts of a comparison of two runs; labels of figures by their names."""

from __future__ import annotations

from hometown.text import N_, pgettext

COMPARISON_TEXTS = {
    "title": N_("{first} and {second}"),
    "scripted": N_(
        "At least one of the runs was lived without a language model: its figures "
        "check the machinery, and say nothing about models."
    ),
    "no_difference": N_(
        "No difference: the towns are the same in all steps that both have, up to step {common}."
    ),
    "difference": N_(
        "The first difference is in step {step}, which begins at {time}; up to then "
        "the towns are the same. The cause: {cause}."
    ),
    "cause_founding": N_("the towns began differently"),
    "cause_intervention": N_("the user intervened in one of them"),
    "cause_model": N_("another model answered the same prompt otherwise"),
    "cause_seed": N_("another seed"),
    "cause_reply": N_(
        "the same model answered the same prompt otherwise, with the same seed, as model servers do"
    ),
    "cause_setting": N_("other settings"),
    "cause_version": N_("another version of the program"),
    "cause_unknown": N_("nothing that is recorded explains it"),
    "evidence": N_("- {what}: {first} / {second}"),
    "deed": N_("- first different deed, {what}: {first} / {second}"),
    "thought": N_("- first different reply, in step {step}, {what}: {first} / {second}"),
    "nothing": N_("nothing"),
    "columns": N_("| measure | {first} | {second} | change |"),
    "caution": N_(
        "The figures are those up to step {common}, the last one that both have. What "
        "differs between two runs need not be the effect of what was changed: compare "
        "several seeds."
    ),
    "cost.steps": N_("steps"),
    "cost.calls": N_("model calls"),
    "cost.prompt_tokens": N_("tokens read"),
    "cost.reply_tokens": N_("tokens written"),
    "cost.fallbacks": N_("share of fallbacks"),
    "cost.seconds": N_("wall seconds"),
    "adherence.up_on_time": N_("mornings up near habit, share"),
    "adherence.at_work": N_("working time spent at work, share"),
    "company.conversations": pgettext("figure", "conversations"),
    "company.lines_each": N_("lines of a conversation"),
    "novelty.distinct_2": N_("different word pairs in what is said, share"),
    "repetition.loops": N_("lines, activities and thoughts that are repeated over and over"),
    "repetition.most_times": N_("times that the most frequent of them is repeated"),
    "memory.event": N_("memories: events"),
    "memory.thought": N_("memories: thoughts"),
    "memory.chat": N_("memories: conversations"),
    "memory.plan": N_("memories: plans"),
    "memory.reflections": N_("reflections"),
    "diffusion.known_start": N_("know of it at the start, share"),
    "diffusion.told": N_("knew of it at the start or were told, share"),
    "diffusion.known": N_("have a memory of it at the end by any channel, share"),
    "diffusion.hours": N_("hours until a resident is told, mean"),
    "attending.knew": N_("knew of the gathering"),
    "attending.came": N_("came to the gathering"),
    "network.density_start": N_("density of acquaintances at the start"),
    "network.density": N_("density of acquaintances at the end"),
    "opinions.mean": N_("mean opinion, from 0 (against) to 1 (in favour)"),
    "opinions.variance": N_("variance of opinions"),
    "opinions.polarisation": N_("polarisation of opinions, from 0 to 1"),
    "opinions.moved": N_("distance by which an opinion has moved, mean"),
    "illness.infected": N_("caught the illness, share"),
    "illness.peak": N_("ill at once, largest share"),
}
