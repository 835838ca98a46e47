import numpy as np
import pytest

from corpus import minilm
from corpus.errors import EmbedderMissing

HAPPY = "That is a happy person"


def test_similarities_are_those_of_the_published_model() -> None:
    """The figures of the model's own page for these sentences."""
    person, dog, very, sunny = minilm.load().embed(
        [HAPPY, "That is a happy dog", "That is a very happy person", "Today is a sunny day"]
    )

    assert [person @ dog, person @ very, person @ sunny] == pytest.approx([0.695, 0.943, 0.257], abs=0.001)


def test_a_vector_is_what_it_was_when_the_library_was_embedded() -> None:
    expected = [-0.0338769, 0.0919416, 0.0487013, -0.0348835, -0.0648293, -0.0266857, 0.1342933, -0.0069150]

    assert minilm.load().embed([HAPPY])[0][:8] == pytest.approx(expected, abs=2e-6)


def test_a_text_has_the_same_vector_alone_and_among_others() -> None:
    texts = [HAPPY, "word " * 300, "", "x", "A text of some length about a second act. " * 9]

    together = minilm.load().embed(texts * 9)[: len(texts)]

    assert together == pytest.approx(np.stack([minilm.load().embed([text])[0] for text in texts]), abs=2e-6)


def test_every_vector_is_of_unit_length() -> None:
    vectors = minilm.load().embed(["", "人人生而自由", "word" * 5_000, HAPPY])

    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-5)


def test_words_too_long_for_the_tokenizer_are_told_apart() -> None:
    first, second = minilm.load().embed(["word" * 60, "river" * 60])

    assert first @ second < 0.9


def test_without_the_wheel_the_error_names_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(minilm, "_PACKAGE", "no_such_package")

    with pytest.raises(EmbedderMissing, match=r"requirements-model\.txt") as raised:
        minilm.folder()
    assert raised.value.permanent
