"""Words and numbers of reports."""

from __future__ import annotations

from functools import cache

from hometown.language import Lang
from hometown.study.comparison_wording import COMPARISON_TEXTS
from hometown.study.experiment.spec import INSTRUMENTS
from hometown.text import N_, pgettext, translate_all

EXPERIMENT_TEXTS = {
    "title": N_("Experiment {name}"),
    "scripted": N_(
        "No language model took part: the towns, or the answers, are those of the "
        "scripted stand-in. The figures check the machinery and say nothing about "
        "people or models; nothing here is significant."
    ),
    "partly_scripted": N_(
        "The towns of these conditions are those of the scripted stand-in: {conditions}. A difference "
        "from them says nothing about people or models, so nothing here is tested."
    ),
    "watermark": N_("scripted stand-in: pipeline check"),
    "fallbacks": N_(
        "In {condition}, {share} % of all {what} could not be used, and more than 5 % "
        "say more about obedience to the format than about the town."
    ),
    "replies_cost.fallbacks": N_("the replies of which the town consists"),
    "replies_claims.fallbacks_start": N_("answers in interviews at the start"),
    "replies_claims.fallbacks@": N_("answers in interviews at {wave}"),
    "replies_claims.fallbacks": N_("answers in interviews at the end"),
    "setup": N_(
        "Town {world} ({lang}), {residents}, {steps} of {stride}; seeds {seeds}; conditions {conditions}; "
        "model {models}; embedding {embedding}."
    ),
    "primary": N_("The primary outcome"),
    "primary_about": N_("Named before the towns were simulated: {measure}."),
    "primary_constant": N_("{condition}: {value} in all {count} runs."),
    "interval_constant": N_(
        "The interval says where the {statistic} of further towns may lie; it is no spread of these."
    ),
    "primary_contrast": N_(
        "{condition} against {base}: {direction} in the mean of {count} differences, seed "
        "by seed (higher in {higher}, lower in {lower}, the same in {same}); "
        "median difference {median} ({low} to {high}, {kind}); {test}."
    ),
    "direction_higher": N_("higher under {condition}, by {mean}"),
    "direction_lower": N_("lower under {condition}, by {mean}"),
    "direction_equal": N_("neither is higher"),
    "contrast_missing": N_(
        "{condition} against {base}: not tested, since no seed has this figure in both."
    ),
    "kind_interval": N_("95 % interval of the median"),
    "kind_range": N_("range over seeds"),
    "test_none": N_("not tested, since the scripted stand-in took part"),
    "test_refused": N_("not tested, since the judge is not admitted"),
    "test_differ": N_("p = {p} by all swaps of the two within each seed"),
    "test_same": N_(
        "p = {p} by two one-sided tests against the hypothesis that the two differ by {margin} or "
        "more"
    ),
    "test_corrected": N_("{test}, after Holm over {family} contrasts"),
    "p_value": N_("p = {p}"),
    "no_contrast": N_("There is one condition, so nothing is compared."),
    "primary_missing": N_(
        "There is no figure {measure} in these towns: see the table below for those that there are."
    ),
    "figures": N_("All figures"),
    "figures_about": N_(
        "Over seeds: the mean of shares, the median of all else, with the 95 % interval in "
        "parentheses; in brackets stands the range, where so few seeds allow no interval. All but "
        "the primary outcome are exploratory, and none of them is tested."
    ),
    "figures_constant": N_(
        "A value by itself is the same in all runs of its condition. Where the town's start does not "
        "fix it, another town may differ: a share of 0 in all of {count} towns allows a mean of up to "
        "{most}, and one of 1 a mean from {least} on."
    ),
    "believability_about": N_(
        "{blocks} of {residents}. Skillings and Mack's χ² {chi}, {p}, with residents as the unit. "
        "Answers missing from the blocks: {missing}."
    ),
    "column_measure": pgettext("column of a report", "figure"),
    "paper": N_("Park et al. (2023)"),
    "paper_title": N_("Ours beside the paper's: shares and densities"),
    "news": pgettext("in a report", "How news spread"),
    "plan_title": N_("Preregistration of {name}"),
    "plan_hash": N_(
        "Definition {definition}. Every row of the experiment's tables ends with this hash."
    ),
    "plan_size": N_(
        "Conditions: {conditions}. Seeds: {seeds}. Runs: {runs}. Steps in all: {steps}. "
        "Estimated model calls: {calls}. "
        "Estimated hours on a small model with an average GPU: {hours}."
    ),
    "plan_factors": N_("Factors and their levels: {factors}."),
    "plan_primary": N_("Primary outcome: {measure}."),
    "plan_differ": N_("the conditions differ"),
    "plan_same": N_("the conditions are the same within ± {margin}"),
    "plan_test": N_(
        "Claim: {claim}. Number of contrasts: {family}, each tested by all swaps within each seed at "
        "5 %, and corrected after Holm."
    ),
    "plan_least": N_("The smallest p-value that can occur is {p}."),
    "plan_ties": N_(
        "It needs a difference in every seed: each seed without one doubles it. At least {needed} of "
        "the {count} seeds have to differ, or no difference can become significant."
    ),
    "plan_impossible": N_("So nothing can become significant: add seeds, or compare less."),
    "plan_power": N_(
        "Simulated power of one contrast, by the true difference in standard deviations of the "
        "differences between seeds, where every seed differs; one that does not counts for nothing:"
    ),
    "column_effect": N_("difference"),
    "column_power": N_("power"),
    "plan_rules": N_(
        "Each seed of the definition is simulated once; none is excluded or added. Missing answers "
        "are counted and not replaced. All other outcomes are exploratory and not tested."
    ),
    "plan_definition": N_("The definition"),
    "plan_definition_about": N_(
        "Planned with Hometown {version}, prompts {prompts}. The hash of the definition is that of the "
        "following lines, from the first brace to the last: BLAKE2b, 8 bytes."
    ),
    "news_mark": N_("A dashed line marks the beginning of a condition's intervention."),
    "axis_condition": N_("condition (number of towns)"),
    "axis_access": N_("access"),
    "axis_clock": N_("time in the town"),
    "axis_residents": N_("share of residents"),
    "axis_share": N_("share"),
    "axis_count": N_("number"),
    "axis_time": N_("hours"),
    "axis_score": N_("value"),
    "axis_rating": N_("TrueSkill μ"),
    "key": N_("dot: a town; ring: {statistic}; {interval}"),
    "key_mean": N_("mean"),
    "key_median": N_("median"),
    "key_interval": N_("bar: 95 % interval"),
    "key_none": N_("too few towns for an interval"),
    "provenance": N_(
        "Hometown {version}, engine {engine}, world {world}, prompts {prompts}; definition "
        "{definition}. tables/provenance.csv has the settings, the machine and the date of each run."
    ),
    "provenance_mixed": N_(
        "These towns are not of one version, so that conditions may differ in more than their names "
        "say: the program or the world was changed between two runs."
    ),
    "news_title": N_("{story}: who knows of it, share of residents"),
    "network": N_("Networks: networks/RUN.graphml, for Gephi, Cytoscape, R and NetworkX."),
    "judge": N_("The judge"),
    "judge_about": N_("Rankings by the model {judge}. It is {verdict}."),
    "judge_same": N_("The judge is the model that has answered: it may prefer its own style."),
    "judge_invites": N_(
        "People can rank the same answers: send them rank.html, and take in what they "
        "send back with hometown experiment FILE --collect THEIRS.json."
    ),
    "judge_model": N_("the model"),
    "judge_people": N_("people"),
    "verdict_admitted": N_("admitted: its rankings may be tested"),
    "verdict_refused": N_("not admitted: its rankings are shown, and tested for nothing"),
    "column_control": N_("control"),
    "column_value": N_("value"),
    "column_bound": N_("has to be"),
    "column_count": N_("rests on"),
    "column_passed": N_("passed"),
    "yes": N_("yes"),
    "no": N_("no"),
    "control_usable": N_("replies that could be used, share"),
    "control_planted": N_("the planted answer of another resident came last, share"),
    "control_agreement": N_("agreement between orders, Kendall's τ"),
    "control_position": N_("shift of ranks by the position, upper 95 % limit, share of all ranks"),
    "control_length": N_("rank follows length, correlation"),
    "control_people": N_("agrees with people less than they with each other, τ"),
    "at_least": N_("at least {bound}"),
    "at_most": N_("at most {bound}"),
    "too_few": N_("too few"),
    "verdicts": N_("The judge has also said of each answer with full access whether it holds."),
    "verdicts_none": N_("No answer has a verdict by both rule and judge."),
    "column_verdict": N_("verdict"),
    "column_by_rule": N_("by rule, answers"),
    "column_by_judge": N_("by the judge, answers"),
    "verdict_supported": N_("supported"),
    "verdict_embellished": N_("embellished"),
    "verdict_invented": N_("invented"),
    "verdict_contradicted": N_("contradicted"),
    "verdict_missed": N_("missed"),
    "verdict_declined": N_("declined"),
    "verdict_unchecked": N_("unchecked"),
    "verdict_unanswered": N_("no usable verdict"),
    "believability": N_("Believability of answers in {condition}, as ranked by {judge}"),
    "column_condition": N_("condition"),
    "closed": N_("Closed questions"),
    "closed_about": N_(
        "Mean scores are those of all items of a scale, reversed items turned round, without "
        "refusals. “Shown first” counts choices from the first half of the options as shown, "
        "among those from either half: as the order is random, far more or fewer than half of "
        "them would be an effect of position. Where the model's server gives the probabilities of "
        "all possible answers, the expected score is the mean of the scores weighted by them, "
        "without the refusal, and beside it is the mean probability of the answers given. All "
        "figures are descriptive."
    ),
    "reference": N_("Reference answers"),
    "reference_about": N_(
        "Answers of residents beside those of the people whom they stand for, as means over "
        "residents. Accuracy is the share of the same answers, where a refusal is another answer "
        "than any; consistency, of the people's answers that were the same when they were asked "
        "again; normalised accuracy, the former divided by the latter, for each resident by "
        "questions with both (Park et al. 2024): 1 where a resident agrees with their person as "
        "often as the person with themselves. Distance is the difference of scores as a share of "
        "the scale. The Brier score of the probabilities is 0 at best. All figures are descriptive."
    ),
    "calibration": N_("Calibration"),
    "axis_probability": N_("probability of a possible answer by the model"),
    "axis_given_by_people": N_("share that people gave"),
    "column_residents": N_("residents"),
    "column_accuracy": N_("accuracy"),
    "column_consistency": N_("consistency"),
    "column_normalised": N_("normalised accuracy"),
    "column_distance": N_("distance"),
    "column_retest_distance": N_("distance of people from themselves"),
    "column_brier": N_("Brier score"),
    "games": pgettext("in a report", "Games"),
    "games_about": N_(
        "Coins, as means over decisions. A decision is missing where a resident refused or gave no "
        "usable reply; a payoff also where that of another resident is missing on which it depends. "
        "Payoffs follow from the rules of the games: dictator (Forsythe et al. 1994), trust (Berg, "
        "Dickhaut and McCabe 1995), public goods (Isaac and Walker 1988)."
    ),
    "axis_item_score": N_("score of the answer, reversed items turned round"),
    "axis_given": N_("share of what was possible"),
    "axis_decisions": N_("decisions"),
    "column_question": N_("question"),
    "column_thing": N_("thing"),
    "column_role": N_("role"),
    "column_decisions": N_("decisions"),
    "column_missing": N_("missing"),
    "column_given": N_("coins given, sent, returned or contributed"),
    "column_stake": N_("coins possible"),
    "column_payoff": N_("payoff"),
    "at_start": N_("{figure}, at the start"),
    "at_wave": N_("{figure}, at {wave}"),
    "closed.score": N_("mean score"),
    "closed.expected": N_("expected mean score by the probabilities of answers"),
    "closed.amount": N_("mean amount"),
    "closed.refused": N_("closed questions refused, share"),
    "closed.unusable": N_("answers to closed questions that were not usable, share"),
    "games.given": N_("given of what was possible, mean share"),
    "games.sent": N_("sent of what was possible, mean share"),
    "games.returned": N_("returned of what was received, mean share"),
    "games.contributed": N_("contributed of what was possible, mean share"),
    "column_questionnaire": N_("questionnaire"),
    "column_moment": N_("asked at"),
    "column_answers": N_("answers"),
    "column_unusable": N_("unusable"),
    "column_refused": N_("refused"),
    "column_score": N_("mean score"),
    "column_expected": N_("expected score"),
    "column_probability": N_("probability of the answer"),
    "column_shown_first": N_("shown first"),
    "column_towns": N_("towns"),
    "column_mean": N_("mean"),
    "column_median": N_("median"),
    "column_range": N_("lowest – highest"),
    "column_access": N_("access"),
    "column_rank": N_("mean rank"),
    "column_worth": N_("worth (Bradley–Terry)"),
    "column_mu": N_("TrueSkill μ (σ), as published"),
    "column_pair": N_("pair"),
    "column_wins": N_("the first stands above, probability"),
    "column_interval": N_("95 % interval"),
    "column_p": N_("p, after Holm"),
    "column_dunn": N_("Dunn–Holm, as published"),
    "as_published": N_(
        "As published, from {blocks}: Kruskal–Wallis H {h}, {p}. It takes ranks within a block for "
        "independent observations; TrueSkill's σ is no standard error."
    ),
    "papers_h": N_("The paper has H 150.29."),
    "rating_title": N_("TrueSkill of answers in {condition}, as ranked by {judge}"),
    "human": N_(
        "Answers by people under the paper's fifth condition: not collected; "
        "write.html collects them."
    ),
    "cautions": N_("What the figures do not mean"),
    "caution_seeds": N_(
        "A town is one observation: what holds of residents in one town need not hold "
        "of another one."
    ),
    "caution_exploratory": N_(
        "One outcome was named before. Whatever else stands out among this many "
        "figures may do so by chance."
    ),
    "caution_words": N_(
        "Knowing is read off words: a memory counts that contains a keyword of the "
        "storyline, and a claim counts that says yes. Only residents who were told in a "
        "conversation count as told; tables/channels.csv has those who saw, overheard, read or "
        "inferred it, and those on whom an intervention acted. The share of those told leaves out "
        "all residents to whom an intervention of any condition tells something, so that it can "
        "be lower than the share of all residents who know at the start."
    ),
    "caution_fallbacks": N_(
        "Answers that no model gave in a usable form are counted as such "
        "(claims.fallbacks); above 5 % they say more about obedience to the format "
        "than about memory."
    ),
    "recompute": N_(
        "tables/ has every observation; python analysis.py computes all of this again from them."
    ),
    "claims.known@": N_("say at {wave} that they know of it, share"),
    "claims.density@": N_("density of acquaintances at {wave}, by claims"),
    "claims.invented@": N_("answers at {wave} that claim knowledge without any basis, share"),
    "claims.fallbacks@": N_("answers at {wave} that were not usable, share"),
    "claims.known_start": N_("say that they know of it at the start, share"),
    "claims.known": N_("say that they know of it at the end, share"),
    "claims.density_start": N_("density of acquaintances at the start, by claims"),
    "claims.density": N_("density of acquaintances at the end, by claims"),
    "claims.invented_start": N_(
        "answers at the start that claim knowledge without any basis, share"
    ),
    "claims.invented": N_("answers at the end that claim knowledge without any basis, share"),
    "claims.fallbacks_start": N_("answers at the start that were not usable, share"),
    "claims.fallbacks": N_("answers at the end that were not usable, share"),
}


@cache
def load_words(lang: Lang) -> dict[str, str]:
    """Return the texts of reports in a language, by key; figures have the same names as in
    comparisons.
    """
    return translate_all(COMPARISON_TEXTS, lang) | translate_all(EXPERIMENT_TEXTS, lang)


def label(measure: str, about: str, lang: Lang) -> str:
    """Return a figure's name in words, with the wave of its interviews if it has one, and its
    subject after a colon if it has one.
    """
    figure, at, wave = measure.partition("@")
    words = load_words(lang)
    if figure.partition(".")[0] in INSTRUMENTS:
        base = figure.removesuffix("_start")
        form = words["at_wave"] if wave else words["at_start"] if base != figure else "{figure}"
        name = form.format(figure=words.get(base, measure), wave=wave)
    else:
        name = words.get(figure + at, measure).replace("{wave}", wave)
    return name + (f": {about}" if about else "")


def amount(value: float) -> str:
    """Return a number with three significant digits, and without decimals from 1,000 on.

    >>> amount(0.16667), amount(3.0), amount(12345.6), amount(0.00001)
    ('0.167', '3', '12,346', '1e-05')
    """
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
