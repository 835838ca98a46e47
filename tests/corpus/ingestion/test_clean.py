from corpus.ingestion.clean import clean, one_line


def test_nul_goes_and_the_editor_is_told_where() -> None:
    cleaned = clean("The \x00rst and \x00nal step")

    assert cleaned.text == "The rst and nal step"
    assert cleaned.warnings == (
        "2 NUL characters were removed, the first in “·rst”; they often stand for a lost ligature such as fi or ffi,"
        " so please check the text.",
    )


def test_ligatures_become_letters_but_powers_stay() -> None:
    assert clean("The oﬃcial ﬁnancial ﬂow of 10² ½").text == "The official financial flow of 10² ½"


def test_lone_surrogates_go_with_a_warning() -> None:
    cleaned = clean("a\ud800b")

    assert cleaned.text == "ab"
    assert cleaned.warnings == ("1 broken characters were removed.",)


def test_soft_hyphens_join_and_invisible_characters_go() -> None:
    assert clean("re\u00ad\n  invention, sec\u00adond\u200b \ufeffact\u202e!").text == "reinvention, second act!"


def test_joiners_that_shape_words_stay() -> None:
    assert clean("می\u200cخواهم 👩\u200d🔧").text == "می\u200cخواهم 👩\u200d🔧"


def test_every_blank_and_line_end_is_a_plain_one() -> None:
    assert clean("a\u00a0b\u3000c\r\nd\re\u2028f\fg\x07").text == "a b c\nd\ne\nf\n\ngh"[:-1]


def test_composed_and_decomposed_letters_are_the_same() -> None:
    assert clean("cafe\u0301").text == "café"


def test_cleaning_clean_text_changes_nothing() -> None:
    once = clean("ﬁ\x00\u00adx\r\n\u00a0y e\u0301").text

    assert clean(once).text == once
    assert clean(once).warnings == ()


def test_a_title_is_one_line() -> None:
    assert one_line(" A\n title \x00\twith  blanks ") == "A title with blanks"
