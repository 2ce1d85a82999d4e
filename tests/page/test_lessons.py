"""The lessons as the page's sheets show them."""

from __future__ import annotations

from hometown.page.lesson_sheets import lessons


def test_lessons_are_the_same_in_both_languages_and_have_lost_no_question() -> None:
    english, chinese = lessons("en"), lessons("zh")
    assert (
        [lesson["id"] for lesson in english]
        == [lesson["id"] for lesson in chinese]
        == ["fire-drill", "rumour", "stranger"]
    )
    for lesson, other in zip(english, chinese, strict=True):
        assert lesson["towns"] == other["towns"] != []
        assert lesson["world"] == other["world"] in {"minitown", "ville"}
        assert len(lesson["questions"]) == len(other["questions"]) >= 6
        for sheet in (lesson, other):
            assert all(
                not set(text) & set("#*`\n") and text
                for text in (sheet["title"], sheet["about"], sheet["thought"], *sheet["questions"])
            )
