# Computes the results of this experiment again, from the tables beside this file and nothing else.
# Needs: pip install "hometown[study]". The cells run one by one in editors that know them (# %%);
# python analysis.py runs all.

# %% The tables, one observation a row
from pathlib import Path

from hometown.study.experiment.analysis import analyse, write_results
from hometown.study.experiment.report import write_report
from hometown.study.experiment.tables import COLUMNS, read_table

HERE, LANG = Path(__file__).resolve().parent, "en"
for name, columns in COLUMNS.items():
    print(f"{name}: {len(read_table(HERE, name))} rows of {', '.join(columns)}")

# %% The statistics: see hometown/study/inference and hometown/study/ranking for each formula and
# its source
results = analyse(HERE)
for outcome in results.of(results.experiment.primary.measure, results.experiment.primary.about):
    print(outcome.condition, outcome.values, outcome.estimate)

# %% results.json, report.md, report.html and figures
write_results(results, HERE)
write_report(results, HERE, LANG)
