import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpus.naming.index import NameIndex, concepts_named, lookup_keys, name_key

NAMES = [
    ("fear", 1),
    ("fear of failure", 2),
    ("C++ (basics)", 3),
    ("Übergang", 4),
    ("second act", 5),
    ("act two", 5),
    ("...", 6),
    ('O"Brien', 7),
    ("Thich-Nhat", 8),
    ("C++", 9),
    ("AND", 10),
    ("C", 11),
    (".NET", 12),
    ("weak ties", 13),
    ("Erfahrung", 14),
    ("Réseau", 15),
    ("職業", 16),
    ("العمل", 17),
    ("сеть", 18),
    ("실험", 19),
    ("पहला कदम", 20),
    ("MATCH (n) DETACH DELETE n", 21),
    ("title:fear~2", 22),
]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("Fear, FEAR and feared", {1: 2}),
        ("fearless_fear", {}),
        ("my fear  of\nfailure", {2: 1}),
        ("fear of\n\nfailure", {1: 1}),
        ("What is C++ (Basics)?", {3: 1}),
        ("der übergang, die Übergänge", {4: 2}),
        ("UBERGANG", {4: 1}),
        ("second act two", {5: 1}),
        ("second act, act two", {5: 2}),
        ("In a second. Act now.", {}),
        ("a second-act, second acts", {5: 2}),
        ("", {}),
        ("... \x00 \ud800 & | :*", {}),
        ("said O'Brien, O”Brien and O\"Brien", {7: 3}),
        ("Thich Nhat and Thich\u2011Nhat", {8: 2}),
        ("C++, C# and C", {9: 1, 11: 1}),
        ("salt AND pepper and salt", {10: 1}),
        ("on .NET, in the net", {12: 1}),
        ("a weak tie", {13: 1}),
        ("meine Erfahrungen sind die besten", {14: 1}),
        ("les réseaux, le reseau", {15: 2}),
        ("新しい職業を探す", {16: 1}),
        ("عن عمل وبالعمل", {17: 2}),
        ("о сети и сетей", {18: 2}),
        ("작은 실험은", {19: 1}),
        ("यह पहला कदम है", {20: 1}),
        ("match (n) detach delete N", {21: 1}),
        ("title:fear~2 OR title:fear", {22: 1, 1: 1}),
    ],
)
def test_names_are_found_in_any_case_accent_number_and_script(text: str, named: dict[int, int]) -> None:
    assert concepts_named(text, NAMES) == named


def test_the_language_decides_which_endings_are_endings() -> None:
    index = NameIndex([("Netz", 1)])

    assert index.mentions("Netze", "de") == {1: 1}
    assert index.mentions("Netze", "en") == {}


def test_a_name_of_two_concepts_counts_for_both() -> None:
    assert concepts_named("the weak tie", [("weak ties", 1), ("Weak tie", 2)]) == {1: 1, 2: 1}


def test_a_very_long_text_is_read_once() -> None:
    text = "second act " * 900 + "(" * 100

    assert concepts_named(text, NAMES) == {5: 900}


@given(st.text(max_size=200))
def test_any_text_is_harmless_and_any_name_with_a_word_finds_itself(text: str) -> None:
    assert isinstance(concepts_named(text, NAMES), dict)
    if name_key(text):
        assert concepts_named(text, [(text, 1)]) == {1: 1}


@given(st.sampled_from([name for name, _ in NAMES if name != "..."]), st.sampled_from(["{}", "x {} y", "«{}», AND"]))
def test_a_stored_name_shares_a_key_with_every_text_that_names_it(name: str, around: str) -> None:
    assert set(lookup_keys(name, first_only=True)) & set(lookup_keys(around.format(name.swapcase())))


@pytest.mark.parametrize(("one", "other"), [("Weak Ties", "weak-tie"), ("Réseaux", "reseau"), ("O’Brien", "O'BRIEN")])
def test_two_forms_of_a_name_have_one_key(one: str, other: str) -> None:
    assert name_key(one) == name_key(other)
