"""The work of `hometown experiment --plan`, and what it has in common with an experiment that is
carried out. It imports nothing that a check does not need, so that it ends in about a second.
"""

from __future__ import annotations

from hometown.cli.options import Folders
from hometown.cli.texts import Text
from hometown.errors import BadInput
from hometown.paths import pip_command
from hometown.study.experiment.report_blocks import format_markdown
from hometown.study.experiment.run_plan import describe_plan, plan_study, write_preregistration
from hometown.study.experiment.spec import Experiment
from hometown.system import is_installed


def announce(given: Experiment, text: Text) -> None:
    """Print the question of an experiment that can be carried out here.

    Raises:
        BadInput: A package for statistics is not installed.
    """
    for package in ("scipy", "choix"):
        if not is_installed(package):
            raise BadInput(
                "experiments need {package}, which is not installed: {command}",
                package=package,
                command=pip_command("study"),
            )
    print(text("{name}: {question}", name=given.name, question=given.question), flush=True)


def plan_experiment(given: Experiment, folders: Folders, text: Text) -> int:
    """Check an experiment, print its plan, write its preregistration, and return the exit code."""
    announce(given, text)
    folder = folders.results / "experiments" / given.name
    plan = plan_study(given, folder, folders.worlds)
    print(format_markdown(describe_plan(plan, text.lang)))
    print(text("preregistration: {file}", file=write_preregistration(plan, folder, text.lang)))
    return 0
