"""What the words of a question tell by themselves."""

import tomllib
from pathlib import Path

import pytest

from pipeline.llm.pointing import points_away
from pipeline.llm.question_rules import (
    asks_about_service,
    clarity_of,
    has_subject,
    is_small_talk,
    two_referents,
    wants_to_browse,
)
from tests.pipeline.fakes import remembered

SMALL_TALK = [
    "Thanks!",
    "Thank you so much, that helped a lot.",
    "👍",
    "merci",
    "hello",
    "ok cool",
    "Good morning!",
    "Great, thanks for the explanation.",
    "Perfect, that's what I needed.",
    "Bye for now.",
    "That was really useful.",
    "I'll try that tomorrow, thanks.",
    "You're the best!",
    "Good night, see you tomorrow",
    "Hi there",
    "Wow, I did not know that.",
    "No problem.",
    "Nice to meet you",
    "That's all for today.",
    "Haha, good one.",
    "Happy new year!",
    "Got it.",
    "Fair enough.",
    "I appreciate your help",
    "Have a great weekend!",
    "Okay, I understand now.",
    "Alright then.",
    "How are you?",
    "You have been very helpful.",
    "Great answer",
    "Hey, good to be back",
    "Interesting, thanks.",
    "Much appreciated",
    "So true.",
    "Sounds great, I'll do that.",
    "Love it",
]
NO_SMALL_TALK = [
    "ok and what about chapter 3?",
    "Thanks, and how do I begin?",
    "Hello, what is grit?",
    "Great, give me another exercise.",
    "What is a good day?",
    "How do I say thank you to a mentor?",
    "Is it good to be nice?",
    "I want to help others",
    "What makes a good morning routine?",
    "How do I say no?",
    "Thanks. What about fear?",
]
POINTING = [
    "What about that one?",
    "When did he write it?",
    "Is it worth the money?",
    "How long does it take?",
    "Can you explain it again?",
    "Where can I find it?",
    "Is that enough?",
    "Why did they do that?",
    "Which one is better?",
    "Which of the two should I take?",
    "And the other one?",
    "How do I get there?",
    "Does it work for everyone?",
    "What did she mean?",
    "Tell me more.",
    "Tell me more about it.",
    "Can you say that in simpler words?",
    "Why not?",
    "And then?",
    "What happened next?",
    "How does the second one work?",
    "Do you agree with him?",
    "Is this normal?",
    "Should I do it?",
    "Should I do it now or later?",
    "What if it fails?",
    "How much does it cost?",
    "Who said that?",
    "Did it help her?",
    "Does the third one apply to me?",
    "Give me another one.",
    "Another example, please.",
    "What are the alternatives?",
    "Can I combine them?",
    "Are those the same?",
    "How did that end?",
    "What was his answer?",
    "Would that also work in my case?",
    "Go on.",
    "And for older people?",
    "Is the other book better?",
    "Could you do the same for the next chapter?",
    "What's the next step?",
    "Compare the two.",
    "How does this apply to me?",
    "What's her name again?",
    "What does that mean?",
    "Where was it first used?",
]
TOO_LITTLE = [
    "Help.",
    "Help me!",
    "What should I do?",
    "I need advice.",
    "I have a question.",
    "What now?",
    "Please help.",
    "Any ideas?",
    "Tips?",
    "Well?",
    "And?",
    "?",
    "Can you help me?",
    "What do you think?",
    "Which is best?",
    "Is it possible?",
    "Yes or no?",
    "What are my options?",
    "How?",
    "Question",
    "I have a problem.",
    "Give me an answer",
]
CLEAR = [
    "Is it too late to start over at 55?",
    "How do I know that I am ready?",
    "What does the author say about fear?",
    "Is there a chapter on money?",
    "How does it feel to be fired?",
    "If I quit my job, will I regret it?",
    "My boss wants me to retire. Should I do it?",
    "What is a mentor and how do I find one?",
    "Chapter on fear?",
    "Something about courage?",
    "Courage?",
    "Is it normal to be afraid of change?",
    "How can people who have children change careers?",
    "They say you need 10,000 hours. Is that true?",
    "What is the book about?",
    "Who is this community for?",
    "What is it like to be self-employed?",
    "How do I tell my wife that I want to quit?",
    "Does grit matter more than talent, and can it be learned?",
    "Do it yourself or hire someone?",
    "What happens to people when they lose their job?",
    "When should I give up on an idea?",
    "Is this app free?",
    "What makes a good pitch and how long should it be?",
    "How do you measure success?",
    "I had an idea for a shop. Is it a good one?",
    "Why is change so hard?",
    "Where does the fear of failure come from?",
    "Did Jay Samit ever fail, and how did he cope with it?",
    "Is it wise to use my pension to fund a company?",
    "What would it take to become a coach?",
    "Can I change careers without a degree?",
    "Is it possible to work part time and still build something?",
    "What do most people get wrong when they start over?",
    "Can you recommend an exercise for self-doubt?",
    "What do I do with my savings?",
    "Which books should I read first?",
    "How do I deal with a boss who is younger than me?",
    "What did Edison do when his factory burned?",
]


@pytest.mark.parametrize("question", SMALL_TALK)
def test_small_talk_is_known(question: str) -> None:
    assert is_small_talk(question)


@pytest.mark.parametrize("question", NO_SMALL_TALK)
def test_a_greeting_before_a_question_is_no_small_talk(question: str) -> None:
    assert not is_small_talk(question)


def unclear(question: str) -> bool:
    return points_away(question) or clarity_of(question) < 0.4


@pytest.mark.parametrize("question", [*POINTING, *TOO_LITTLE])
def test_what_points_away_or_names_nothing_is_unclear(question: str) -> None:
    assert unclear(question)


@pytest.mark.parametrize("question", CLEAR)
def test_what_explains_itself_is_clear(question: str) -> None:
    assert not unclear(question)


def test_small_talk_leaves_nothing_to_point_at() -> None:
    assert not has_subject([remembered("Hello!"), remembered("What now?")])
    assert has_subject([remembered("Hello!"), remembered("What is grit?")])


@pytest.mark.parametrize(
    ("before", "question", "names"),
    [
        (
            "What is the difference between a mentor and a sponsor?",
            "Does that one have to be older than me?",
            ("mentor", "sponsor"),
        ),
        ("Should I buy a franchise or a laundromat?", "What does it cost?", ("franchise", "laundromat")),
        ("What is the difference between a mentor and a sponsor?", "Which of them is better?", ()),
        ("What is the difference between a mentor and a sponsor?", "How do I find a mentor?", ()),
        ("What is a mentor?", "Is it expensive?", ()),
    ],
)
def test_that_one_of_two_may_be_either(before: str, question: str, names: tuple[str, ...]) -> None:
    assert two_referents(question, [remembered(before)]) == names


def written(table: str) -> list[str]:
    """The questions of written_questions.toml, of all kinds."""
    questions = tomllib.loads(Path(__file__).with_name("written_questions.toml").read_text(encoding="utf-8"))[table]
    return [question for kind in questions.values() for question in kind]


def held(question: str) -> bool:
    return not (wants_to_browse(question) or asks_about_service(question)) and unclear(question)


@pytest.mark.parametrize(("table", "wanted"), [("unclear", True), ("clear", False)])
def test_of_the_written_questions_nearly_all_are_told(table: str, wanted: bool) -> None:
    questions = written(table)
    wrong = [question for question in questions if held(question) is not wanted]

    assert len(questions) >= 200
    assert len(wrong) <= len(questions) // 50, wrong


@pytest.mark.parametrize(("table", "wanted", "allowed"), [("small_talk", True, 0.08), ("no_small_talk", False, 0.0)])
def test_of_the_written_remarks_nearly_all_are_told(table: str, wanted: bool, allowed: float) -> None:
    remarks = written(table)
    wrong = [remark for remark in remarks if is_small_talk(remark) is not wanted]

    assert len(wrong) <= allowed * len(remarks), wrong
