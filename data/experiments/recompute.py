# Computes the estimates, differences, rankings and tests of this experiment anew from the tables
# beside this file, and compares them with results.csv. It needs pandas and scipy, and nothing of
# Hometown:
#     python recompute.py
# It writes recomputed.csv, and ends with status 1 where a figure differs.
import itertools
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import binom, chi2, norm, rankdata

HERE = Path(__file__).resolve().parent
LEVEL = 0.95
DECIMALS = 6  # of values in tables, and of differences that are swapped
DIFFERENCE_DECIMALS = 9  # means over conditions have more than their values
MOST_EXACT = 16  # pairs of which all swaps are counted; results.csv has draws of more
TOLERANCE = 2e-5  # relative: results have six significant digits
ACCESS = ["full", "no-reflection", "no-plan", "human", "none"]  # the order of results
LEAST_RESIDENTS = 5  # of a ranking
PRIOR_WINS = 0.1  # of each kind of access over each other one, for worths
EXACT = ["mean", "median", "win probability"]  # statistics whose p counts swaps


def read(name):
    return pd.read_csv(HERE / name, dtype={"about": str, "condition": str}, keep_default_na=False)


def below(values, at):
    """Return the probability that the mean of values is at most `at`, under random weights that are uniform on
    all with the sum 1: the weights are exponential variables over their sum (Gil-Pelaez 1951)."""
    apart = np.asarray(values, dtype=float) - at
    if (apart <= 0).all() or (apart > 0).all():
        return float((apart <= 0).all())
    apart = apart / np.abs(apart).max()

    def imaginary(angle):  # the substitution u = tan(angle) makes the range finite
        u = np.tan(angle)
        return (1 / np.prod(1 - 1j * apart * u)).imag / (np.sin(angle) * np.cos(angle))

    return 0.5 - quad(imaginary, 0, np.pi / 2, limit=400, epsabs=1e-11, epsrel=1e-11)[0] / np.pi


def interval_of_mean(shares):
    """Return Gaffke's interval of the mean of values between 0 and 1."""
    if len(shares) < 2:
        return "", ""

    def quantile(values, level):
        low, high = min(values), max(values)
        if low == high:
            return low
        edge = (high - low) * 1e-12
        return brentq(lambda at: below(values, at) - level, low + edge, high - edge, xtol=1e-13)

    tail = (1 - LEVEL) / 2
    return quantile([0.0, *shares], tail), quantile([*shares, 1.0], 1 - tail)


def interval_of_median(values):
    """Return the order statistics between which the median lies by the binomial distribution."""
    rank = int(binom.ppf((1 - LEVEL) / 2, len(values), 0.5))
    ordered = sorted(values)
    return (ordered[rank - 1], ordered[-rank]) if rank else ("", "")


def estimate(values, kind):
    """Return (statistic, count, value, low, high): the mean of shares, the median of other outcomes."""
    values = list(values)
    if kind == "share":
        return "mean", len(values), np.mean(values), *interval_of_mean(values)
    return "median", len(values), np.median(values), *interval_of_median(values)


def p_by_swaps(differences, side="both"):
    """Return the exact p-value by all ways of swapping the two conditions within the seeds."""
    parts = [round(each * 10**DECIMALS) for each in differences]
    if len(parts) > MOST_EXACT:
        rng = np.random.default_rng(1)
        signs = rng.choice([-1, 1], (2**MOST_EXACT - 1, len(parts)))
        sums = np.append(signs @ np.array(parts), sum(parts))
    else:
        sums = np.array(
            [np.dot(each, parts) for each in itertools.product([1, -1], repeat=len(parts))]
        )
    greater, less = (sums >= sum(parts)).mean(), (sums <= sum(parts)).mean()
    return {"greater": greater, "less": less, "both": min(1.0, 2 * min(greater, less))}[side]


def p_of_sameness(differences, margin):
    """Return the p-value for paired differences within ± `margin`: the greater one of the two
    one-sided tests against the margins."""
    return max(
        p_by_swaps([each + margin for each in differences], "greater"),
        p_by_swaps([each - margin for each in differences], "less"),
    )


def holm(values, planned=0):
    """Return the p-values by key, adjusted by Holm's method; planned ones without a value count as 1."""
    size = max(planned, len(values))
    adjusted, highest = {}, 0.0
    for place, (key, p) in enumerate(sorted(values.items(), key=lambda item: item[1])):
        highest = max(highest, min(1.0, p * (size - place)))
        adjusted[key] = highest
    return adjusted


def list_rankings():
    """Yield the name, condition, kinds of access and blocks of each ranking: ranks by block, a row each."""
    table = read("tables/rankings.csv")
    for (condition, judge), found in table.groupby(["condition", "judge"], sort=False):
        blocks = found.pivot(index=["seed", "who", "question"], columns="access", values="rank")
        blocks = blocks[blocks.notna().sum(axis=1) > 1]
        access = [each for each in ACCESS if each in blocks and blocks[each].notna().any()]
        who = blocks.index.get_level_values("who")
        if len(access) > 2 and who.nunique() >= LEAST_RESIDENTS:
            yield f"rankings.{judge}", condition, access, blocks[access]


def rank_access(measure, condition, access, blocks):
    """Return the rows of a ranking, residents as the unit."""
    who = blocks.index.get_level_values("who")
    size = blocks.notna().sum(axis=1)
    scores = blocks.rsub(size, axis=0).div(size - 1, axis=0).groupby(who).mean()
    scores = scores.sort_index().round(9)
    wins = count_wins(access, blocks)

    def row(about, against, statistic, n, value, low="", high="", p="", adjusted=""):
        what = ("ranking", measure, about, condition, against, statistic)
        return (*what, n, value, low, high, "", p, adjusted)

    ranks, worths = 1 + (len(access) - 1) * (1 - scores.mean()), find_worths(access, wins)
    rows = [row(each, "", "mean rank", len(scores), ranks[each]) for each in access]
    rows += [row(each, "", "worth", len(blocks), worths[each]) for each in access]
    rows += [row(each, "", "missing", len(blocks), blocks[each].isna().sum()) for each in access]
    statistic, p = skillings_mack(scores.to_numpy())
    rows.append(row("", "", "Skillings-Mack", len(scores), statistic, p=p))
    shares = {
        pair: wins[pair].groupby(level="who").mean().round(9).tolist()
        for pair in itertools.combinations(access, 2)
        if len(wins[pair])
    }
    adjusted = holm(
        {pair: p_by_swaps([each - 0.5 for each in own]) for pair, own in shares.items()}
    )
    for pair, own in shares.items():
        limits = interval_of_mean(own)
        rows.append(
            row(*pair, "win probability", len(own), np.mean(own), *limits, adjusted=adjusted[pair])
        )
    return rows + [row(*each) for each in rank_as_published(access, blocks)]


def count_wins(access, blocks):
    """Return the wins of each kind of access over each other one, by block; a tie is half a win."""
    return {
        (one, other): ((blocks[other] - blocks[one]).dropna() > 0) * 0.5
        + ((blocks[other] - blocks[one]).dropna() >= 0) * 0.5
        for one, other in itertools.permutations(access, 2)
    }


def find_worths(access, wins):
    """Return the worths of Bradley and Terry, by the algorithm of Hunter (2004)."""
    won = np.full((len(access), len(access)), PRIOR_WINS)
    np.fill_diagonal(won, 0)
    for (one, other), each in wins.items():
        won[access.index(one), access.index(other)] += each.sum()
    worths = np.full(len(access), 1 / len(access))
    for _ in range(100_000):
        pairs = (won + won.T) / (worths[:, None] + worths[None, :])
        last, worths = worths, won.sum(axis=1) / pairs.sum(axis=1)
        worths = worths / worths.sum()
        if np.abs(worths / last - 1).max() < 1e-12:
            break
    return dict(zip(access, worths, strict=True))


def skillings_mack(scores):
    """Return the statistic of Skillings and Mack (1981) and its p: that of all columns but the last, since
    the adjusted ranks of each row have the sum 0."""
    total, covariance = np.zeros(scores.shape[1]), np.zeros((scores.shape[1],) * 2)
    for each in scores:
        has = np.flatnonzero(~np.isnan(each))
        if len(has) < 2:
            continue
        apart = (rankdata(each[has]) - (len(has) + 1) / 2) * np.sqrt(12 / (len(has) + 1))
        total[has] += apart
        spread = apart.var(ddof=1)
        covariance[np.ix_(has, has)] += spread * (np.eye(len(has)) - 1 / len(has))
    total, covariance = total[:-1], covariance[:-1, :-1]
    freedom = np.linalg.matrix_rank(covariance)
    if not freedom:
        return 0.0, 1.0
    statistic = total @ np.linalg.lstsq(covariance, total, rcond=1e-10)[0]
    return statistic, chi2.sf(statistic, freedom)


def rank_as_published(access, blocks):
    """Return the cells of the tests by Kruskal and Wallis, and by Dunn, over complete blocks."""
    access = [each for each in access if 2 * blocks[each].notna().sum() > len(blocks)]
    whole = blocks[access].dropna()
    if len(access) < 2 or whole.empty:
        return []
    pooled = rankdata(rankdata(whole.to_numpy(), axis=1)).reshape(whole.shape)
    count, means = len(whole), pooled.mean(axis=0)
    variance = pooled.var(ddof=1)
    h = count * ((means - means.mean()) ** 2).sum() / variance if variance else 0.0
    p = chi2.sf(h, len(access) - 1) if variance else 1.0
    ps = {
        (one, other): 2 * norm.sf(abs(means[one] - means[other]) / np.sqrt(2 * variance / count))
        if variance
        else 1.0
        for one, other in itertools.combinations(range(len(access)), 2)
    }
    tests = [
        (access[i], access[j], "Dunn", count, "", "", "", "", p) for (i, j), p in holm(ps).items()
    ]
    return [("", "", "Kruskal-Wallis", count, h, "", "", p), *tests]


def p_of_claim(differences, margin):
    """Return the p-value of a difference, or of sameness within a margin ("" for none)."""
    return p_of_sameness(differences, float(margin)) if margin else p_by_swaps(differences)


def recompute():
    measures = read("tables/measures.csv")
    measures = measures[measures["value"] != ""].astype({"value": float})
    comparisons = read("tables/comparisons.csv")
    is_scripted = "scripted" in set(read("tables/runs.csv")["model"])
    rows, tests = [], {}
    for (measure, about, condition, kind), found in measures.groupby(
        ["measure", "about", "condition", "kind"], sort=False
    ):
        rows.append(
            ("estimate", measure, about, condition, "", *estimate(found["value"], kind), "", "", "")
        )
    for (measure, about), found in measures.groupby(["measure", "about"], sort=False):
        wide = found.pivot(index="seed", columns="condition", values="value")
        for (name, against), weights in comparisons.groupby(["comparison", "against"], sort=False):
            if not set(weights["condition"]) <= set(wide.columns):
                continue
            chosen = wide[list(weights["condition"])].dropna()
            if chosen.empty:
                continue
            differences = (chosen.to_numpy() @ weights["weight"].to_numpy()).round(
                DIFFERENCE_DECIMALS
            ) + 0.0  # no -0.0
            first = weights.iloc[0]
            is_claim = (first["measure"], first["about"]) == (measure, about) and first[
                "confirmatory"
            ] == 1
            if is_claim and not is_scripted:
                tests[len(rows)] = p_of_claim(differences, first["same_within"])
            row = ("contrast", measure, about, name, against, *estimate(differences, "score"))
            rows.append((*row, differences.mean(), "", ""))
    claimed = comparisons.loc[comparisons["confirmatory"] == 1, ["comparison", "against"]]
    adjusted = holm(tests, len(claimed.drop_duplicates()))
    for at, p in tests.items():
        rows[at] = (*rows[at][:-2], p, adjusted[at])
    published = read("results.csv")
    tested = published[(published["p"] != "") | (published["adjusted"] != "")]
    admitted = set(zip(tested["measure"], tested["condition"], strict=True))
    for measure, condition, *ranked in list_rankings():
        found = rank_access(measure, condition, *ranked)
        if (measure, condition) not in admitted:  # by the judge's controls, or without a model
            found = [(*row[:-2], "", "") for row in found]
        rows += found
    return pd.DataFrame(rows, columns=list(published.columns))


def number(cell):
    """Return a cell as a number, NaN for an empty one."""
    return float("nan" if cell == "" else cell)


def recompute_instruments():
    """Yield (condition, seed, measure, about, value) of closed questions and games, from the answers."""
    answers = read("tables/answers.csv")
    closed = answers[(answers["item"] != "") & (answers["access"] == "full")]
    for (condition, seed, name, moment), own in closed.groupby(
        ["condition", "seed", "questionnaire", "moment"], sort=False
    ):
        wave = {"start": "_start", "end": ""}.get(moment, f"@{moment}")
        figures = {
            ("closed.refused", name): (own["refused"].astype(int) == 1).mean(),
            ("closed.unusable", name): (own["outcome"] == "fallback").mean(),
        }
        for column in ("score", "expected"):
            known = own[own[column] != ""].astype({column: float})
            scale = known[known["item"] == "scale"]
            if len(scale):
                figures[f"closed.{column}", name] = scale.groupby("who")[column].mean().mean()
            for question, numbers in known[known["item"] == "slider"].groupby("question"):
                figures[f"closed.{column}", f"{name}/{question}"] = numbers[column].mean()
        divided = own[own["item"] == "allocation"]
        divided = divided[
            (divided["refused"].astype(int) == 0) & (divided["outcome"] != "fallback")
        ]
        amounts = {}
        for _, row in divided.iterrows():
            parts = zip(row["options"].split(" | "), row["answer"].split(", "), strict=True)
            for thing, amount in parts:
                amounts.setdefault(f"{name}/{row['question']}/{thing}", []).append(int(amount))
        figures |= {("closed.amount", about): np.mean(each) for about, each in amounts.items()}
        for (measure, about), value in figures.items():
            yield condition, seed, measure + wave, about, value


def find_payoffs(game, answers):
    """Return {(who, role): payoff} of one game, NaN where an answer is missing; `game` are its rows in
    the table games, `answers` the residents' decisions."""
    score = {(row.who, row.question): row.score for row in answers.itertuples()}
    ids = {row.item: row.question.rpartition("-")[0] for row in answers.itertuples()}
    sole = {(row.who, row.item): row.score for row in answers.itertuples()}
    endowment, multiplier = int(game["endowment"].iloc[0]), int(game["multiplier"].iloc[0])

    def decide(who, role):
        return number(sole.get((who, role), ""))

    payoffs = {}
    for row in game.itertuples():
        if row.role == "giver":
            payoffs[row.who, row.role] = endowment - decide(row.who, "giver")
        elif row.role == "contributor":
            group = game.loc[game["partner"] == row.partner, "who"]
            shared = multiplier * sum(decide(who, "contributor") for who in group) / len(group)
            payoffs[row.who, row.role] = endowment - decide(row.who, "contributor") + shared
        elif row.role == "sender":
            sent = decide(row.who, "sender")
            question = f"{ids.get('receiver')}-{sent:.0f}"
            back = number(score.get((row.partner, question), "")) if sent else 0
            payoffs[row.who, "sender"] = endowment - sent + back
            payoffs[row.partner, "receiver"] = multiplier * sent - back
    return payoffs


def compare_instruments():
    """Print the figures of closed questions and games that differ from the answers, and return their
    number."""
    measures = read("tables/measures.csv")
    values = measures.set_index(["condition", "seed", "measure", "about"])["value"]
    recomputed, wrong = 0, []

    def check(named, mine, published):
        published = number(published)
        if not np.isclose(mine, published, atol=1e-6, equal_nan=True):
            wrong.append({"figure": named, "recomputed": mine, "published": published})

    if not values.index.get_level_values("measure").str.match(r"(closed|games)\.").any():
        return 0
    for *named, value in recompute_instruments():
        if tuple(named) in values.index:  # an experiment may record other measures alone
            check(named, value, values[tuple(named)])
            recomputed += 1
    games, answers = read("tables/games.csv"), read("tables/answers.csv")
    interview = ["condition", "seed", "questionnaire", "moment", "access"]
    given = {
        "giver": "given",
        "sender": "sent",
        "receiver": "returned",
        "contributor": "contributed",
    }
    for where, game in games.groupby(interview, sort=False):
        own = answers[(answers[interview] == list(where)).all(axis=1)]
        payoffs = find_payoffs(game, own)
        for row in game.itertuples():
            check([*where, row.who, row.role], payoffs[row.who, row.role], row.payoff)
            recomputed += 1
        *run, name, moment, access = where
        shares = game["amount"].map(number) / game["stake"].astype(float)  # of nothing NaN
        for role, share in shares.groupby(game["role"]):
            wave = {"start": "_start", "end": ""}.get(moment, f"@{moment}")
            named = (*run, f"games.{given[role]}{wave}", name)
            if access == "full" and share.notna().any() and named in values.index:
                check(named, share.mean(), values[named])
                recomputed += 1
    for each in wrong:
        print("differs:", each)
    print(f"{recomputed} figures of closed questions and games recomputed, {len(wrong)} differ")
    return len(wrong)


def compare(ours, theirs):
    """Print the figures that differ, and return their number."""
    key = ["kind", "measure", "about", "condition", "against", "statistic"]
    both = ours.merge(theirs, on=key, how="outer", suffixes=("", "_published"), indicator=True)
    wrong = both[both["_merge"] != "both"][key].to_dict("records")
    for column in ("n", "value", "low", "high", "mean", "p", "adjusted"):
        for _, row in both[both["_merge"] == "both"].iterrows():
            mine, published = row[column], row[f"{column}_published"]
            if str(mine) != str(published):
                scale = TOLERANCE * max(1e-3, abs(float(published or "nan")))
                is_drawn = row["n"] > MOST_EXACT and row["statistic"] in EXACT
                drawn = 0.02 if is_drawn and column in ("p", "adjusted") else 0
                if not abs(float(mine or "nan") - float(published or "nan")) <= scale + drawn:
                    wrong.append({**row[key].to_dict(), column: mine, "published": published})
    for each in wrong:
        print("differs:", each)
    print(f"{len(ours)} rows recomputed, {len(wrong)} figures differ")
    return len(wrong)


if __name__ == "__main__":
    recomputed = recompute()
    recomputed.to_csv(HERE / "recomputed.csv", index=False, encoding="utf-8-sig")
    different = compare(recomputed, read("results.csv")) + compare_instruments()
    sys.exit(bool(different))
