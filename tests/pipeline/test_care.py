"""The rules of danger: what they must catch, and the figures of speech they must let pass."""

import tomllib
from pathlib import Path

import pytest

from pipeline.care import danger_in, shipped_help_text, shipped_help_texts

DANGER = [
    ("suicide", "I want to kill myself."),
    ("suicide", "i wanna die"),
    ("suicide", "I don't want to live anymore"),
    ("suicide", "Since the divorce I see no reason to go on."),
    ("suicide", "There’s nothing left to live for."),
    ("suicide", "I wish I was dead"),
    ("suicide", "My family would be better off without me."),
    ("suicide", "I have been thinking about ending it all."),
    ("suicide", "Lately I feel suicidal, what does the book say?"),
    ("suicide", "I can't go on."),
    ("suicide", "I keep thinking of suicide since I lost my job"),
    ("suicide", "I'm going to end my life tonight"),
    ("suicide", "I want to go to sleep and never wake up"),
    ("suicide", "I took too many pills"),
    ("suicide", "I swallowed all my sleeping tablets an hour ago."),
    ("suicide", "I started cutting myself again"),
    ("suicide", "I've been self-harming since the layoff"),
    ("suicide", "I feel like hurting myself when I look at my bank account"),
    ("suicide", "What is the point of living?"),
    ("suicide", "Life is not worth living after 50."),
    ("suicide", "I'm tired of living."),
    ("suicide", "I want to jump in front of a train"),
    ("suicide", "My son says he wants to die and I don't know what to do"),
    ("suicide", "My best friend is threatening to kill himself"),
    ("suicide", "I don't want to be here anymore."),
    ("suicide", "im gonna kms"),
    ("suicide", "I wrote a goodbye letter to my children"),
    ("suicide", "I wish I had never been born"),
    ("suicide", "I was made redundant and I'm thinking of taking my own life"),
    ("suicide", "Sometimes I think about driving my car into a tree."),
    ("violence", "My husband hits me when I talk about going back to work."),
    ("violence", "My wife has been beating me for years"),
    ("violence", "He choked me last night."),
    ("violence", "My partner threatened to kill me if I leave"),
    ("violence", "I am afraid of my husband."),
    ("violence", "I'm in an abusive marriage, how can I start a business?"),
    ("violence", "My ex says he will kill me"),
    ("violence", "I fear for my life at home"),
    ("violence", "He beats me and the kids."),
    ("violence", "I'm being abused by my father"),
    ("emergency", "I think I'm having a heart attack"),
    ("emergency", "I have terrible chest pain and my arm is numb"),
    ("emergency", "My husband collapsed and won't wake up"),
    ("emergency", "She is not breathing!"),
    ("emergency", "I can't breathe, my throat is closing"),
    ("emergency", "He's bleeding heavily"),
    ("emergency", "My mother's face is drooping and she can't lift her arm"),
    ("emergency", "My daughter has swallowed bleach"),
    ("suicide", "I overdosed"),
]

NEAR_MISSES = [
    "My boss is killing me.",
    "Would it be career suicide to leave at 55?",
    "This deadline will be the death of me.",
    "I am dying to try something new.",
    "A heart attack in spring made me change my life; who else started over like that?",
    "I had a heart attack two years ago. How do I find gentler work?",
    "I'd kill for a job like that.",
    "My wife will kill me if I quit my job.",
    "I don't want to die with my music still in me.",
    "I shot myself in the foot in the interview.",
    "I'm working myself to death, how do I say no?",
    "My commute is killing me slowly.",
    "My business partner beat me to the idea.",
    "I want to take my life in a new direction.",
    "How do I take my life back after burnout?",
    "I don't want to live in the city anymore.",
    "There is no reason to go on paying for an office.",
    "I can't go on holiday and change jobs at once, which first?",
    "I was so embarrassed in the pitch I wanted to die.",
    "Is it true that most start-ups die in year two?",
    "The company is bleeding heavily money, should I leave?",
    "Should I cut myself off from old colleagues?",
    "How do I stop hurting myself financially?",
    "It hit me that I am 50.",
    "The market beat me.",
    "What does the author say about people who commit to one thing?",
    "My father died last year and I feel lost.",
    "What kills most second careers?",
    "I'm scared of my own ambition.",
    "I am afraid of my first customer.",
    "How do I kill a project gracefully?",
    "He says entrepreneurs jump off a cliff and build the plane on the way down.",
    "I'm sick of living from paycheck to paycheck.",
    "I feel dead inside at work.",
    "I do not want to go on like this in my job.",
    "My job is suffocating me.",
    "Is a suicidal pricing strategy ever wise?",
    "I could kill my printer.",
    "What does the book say about fear of death?",
    "Is it too late to end my career on a high?",
    "I want to end it with my employer in good terms.",
    "How did people cope when their partner left them?",
]


@pytest.mark.parametrize(("kind", "words"), DANGER)
def test_words_of_danger_are_caught(kind: str, words: str) -> None:
    assert danger_in(words) == kind


@pytest.mark.parametrize("words", NEAR_MISSES)
def test_figures_of_speech_pass(words: str) -> None:
    assert danger_in(words) is None


def written(table: str) -> list[str]:
    """The messages of care_messages.toml, of all languages."""
    messages = tomllib.loads(Path(__file__).with_name("care_messages.toml").read_text(encoding="utf-8"))[table]
    return [message for language in messages.values() for message in language]


def test_of_sixty_messages_of_danger_at_least_fifty_seven_are_caught() -> None:
    messages = written("danger")
    missed = [message for message in messages if danger_in(message) is None]

    assert len(messages) == 60
    assert len(missed) <= 3, missed


def test_of_sixty_near_misses_at_most_two_are_caught() -> None:
    messages = written("near_misses")
    caught = [message for message in messages if danger_in(message) is not None]

    assert len(messages) == 60
    assert len(caught) <= 2, caught


@pytest.mark.parametrize(
    "message", ["NO QUIERO VIVIR MÁS", "je veux mourir", "ich möchte sterben", "ich moechte sterben"]
)
def test_accents_may_be_left_out_in_other_languages(message: str) -> None:
    assert danger_in(message) == "suicide"


def test_capitals_and_odd_spaces_hide_nothing() -> None:
    assert danger_in("I  WANT\nTO   DIE") == "suicide"


def test_every_country_that_ships_has_a_text_and_so_have_all_others() -> None:
    texts = shipped_help_texts()

    assert set(texts) == {"", *["US", "GB", "IE", "CA", "AU", "NZ", "DE", "AT", "CH", "FR", "ES", "IT", "NL", "IN"]}
    assert all(texts.values())
    assert shipped_help_text("gb") == texts["GB"]
    assert shipped_help_text("XX") == texts[""]
