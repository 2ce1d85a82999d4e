# Computes the estimates, differences and tests of this experiment anew from the tables beside this
# file, and compares them with results.csv. It needs pandas and scipy, and nothing of Hometown:
#     python recompute.py
# It writes recomputed.csv, and ends with status 1 where a figure differs.
import itertools
import sys
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import binom

HERE = Path(__file__).resolve().parent
LEVEL = 0.95
DECIMALS = 6  # of values and differences in tables
MOST_EXACT = 16  # pairs of which all swaps are counted; results.csv has draws of more
TOLERANCE = 2e-5  # relative: results have six significant digits


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
    return max(
        p_by_swaps([each + margin for each in differences], "greater"),
        p_by_swaps([each - margin for each in differences], "less"),
    )


def holm(values):
    adjusted, highest = {}, 0.0
    for place, (key, p) in enumerate(sorted(values.items(), key=lambda item: item[1])):
        highest = max(highest, min(1.0, p * (len(values) - place)))
        adjusted[key] = highest
    return adjusted


def recompute():
    measures = read("tables/measures.csv")
    comparisons = read("tables/comparisons.csv")
    is_scripted = set(read("tables/runs.csv")["model"]) == {"scripted"}
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
            differences = (chosen.to_numpy() @ weights["weight"].to_numpy()).round(DECIMALS)
            first = weights.iloc[0]
            is_claim = (first["measure"], first["about"]) == (measure, about) and first[
                "confirmatory"
            ] == 1
            if is_claim and not is_scripted:
                margin = first["same_within"]
                tests[len(rows)] = (
                    p_by_swaps(differences)
                    if margin == ""
                    else p_of_sameness(differences, float(margin))
                )
            row = ("contrast", measure, about, name, against, *estimate(differences, "score"))
            rows.append((*row, differences.mean(), "", ""))
    adjusted = holm(tests)
    for at, p in tests.items():
        rows[at] = (*rows[at][:-2], p, adjusted[at])
    return pd.DataFrame(rows, columns=list(read("results.csv").columns))


def compare(ours, theirs):
    """Print the figures that differ, and return their number."""
    key = ["kind", "measure", "about", "condition", "against"]
    both = ours.merge(theirs, on=key, how="outer", suffixes=("", "_published"), indicator=True)
    wrong = both[both["_merge"] != "both"][key].to_dict("records")
    for column in ("statistic", "n", "value", "low", "high", "mean", "p", "adjusted"):
        for _, row in both[both["_merge"] == "both"].iterrows():
            mine, published = row[column], row[f"{column}_published"]
            if str(mine) != str(published):
                scale = TOLERANCE * max(1e-3, abs(float(published or "nan")))
                drawn = 0.02 if row["n"] > MOST_EXACT and column in ("p", "adjusted") else 0
                if not abs(float(mine or "nan") - float(published or "nan")) <= scale + drawn:
                    wrong.append({**row[key].to_dict(), column: mine, "published": published})
    for each in wrong:
        print("differs:", each)
    print(f"{len(ours)} rows recomputed, {len(wrong)} figures differ")
    return len(wrong)


if __name__ == "__main__":
    recomputed = recompute()
    recomputed.to_csv(HERE / "recomputed.csv", index=False)
    sys.exit(bool(compare(recomputed, read("results.csv"))))
