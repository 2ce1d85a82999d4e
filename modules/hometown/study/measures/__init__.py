"""The measures of a run, one module each; `hometown.study.measuring` runs them all."""
