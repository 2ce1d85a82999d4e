"""What is measured of a run, one measure a module; `hometown.study.measuring` takes them all."""
