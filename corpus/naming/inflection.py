"""Which forms of a word may be one word: singular and plural, and endings and joined articles of some languages (pure).

No dictionary: a word has a few *keys*, the word itself and what is left without an ending that may be one of number or
case. Two forms are one word when they share a key. Where the language is not known, only endings that are safe in any
are taken off.
"""

import re
from functools import lru_cache

_SHORTEST = 3
# Words that only look like plurals of others.
_ALONE = frozenset({"news", "means", "goods", "arms", "customs", "glasses", "series", "species", "always", "this"})
_ENGLISH = ((r"ies$", ("y", "ie")), (r"(?<=[sxz])es$|(?<=[cs]h)es$|(?<=o)es$", ("",)), (r"(?<![su])s$", ("",)))
_FRENCH = ((r"(?<!e)aux$", ("al", "au", "ail")), (r"(?<=eau)x$|(?<=eu)x$|(?<=ou)x$", ("",)))
_GERMAN = ((r"(?:innen|ern|en|er|es|n|e|s)$", ("",)), (r"innen$", ("in",)), (r"(?<=n)en$", ("",)))
_SPANISH = ((r"(?<=[dlnrjy])es$", ("",)), (r"ces$", ("z",)), (r"ns$", ("m",)), (r"oes$|aes$", ("ao",)))
_ITALIAN = ((r"[ie]$", ("o", "a", "e")), (r"he$", ("a",)), (r"hi$", ("o",)))
_SCANDINAVIAN = ((r"(?:orna|arna|erna|erne|ene|or|ar|er|en|et|na|ne|r|n|t|e|a)$", ("",)),)
_BY_LANGUAGE = {
    "de": _GERMAN,
    "nl": ((r"en$", ("",)),),
    "es": _SPANISH,
    "pt": _SPANISH,
    "ca": _SPANISH,
    "it": _ITALIAN,
    "sv": _SCANDINAVIAN,
    "da": _SCANDINAVIAN,
    "nb": _SCANDINAVIAN,
    "no": _SCANDINAVIAN,
    "nn": _SCANDINAVIAN,
}
_LATIN_WORD = re.compile(r"[a-z0-9]+")
_CYRILLIC_WORD = re.compile(r"[\u0400-\u04ff]+")
_CYRILLIC_ENDING = re.compile(
    r"(?:иями|ями|ами|иях|иям|ией|ьев|ия|ии|ию|ие|ов|ев|ей|еи|ам|ям|ах|ях|ом|ем|ой|ои|ою|ы|и|а|я|у|ю|е|о|ь)$"
)
_ARABIC_WORD = re.compile(r"[\u0600-\u06ff]+")
_ARABIC_ARTICLE = re.compile(r"^(?:وبال|ولل|وال|بال|كال|فال|ال|لل)")
_ARABIC_PLURAL = re.compile(r"(?:ات|ون|ين|ة|ه)$")
_HANGUL_WORD = re.compile(r"[\uac00-\ud7a3]+")
_HANGUL_PARTICLE = re.compile(r"(?:에서|으로|들은|들이|들을|들의|들|은|는|이|가|을|를|의|에|로|와|과|도)$")


LANGUAGES = ("", *_BY_LANGUAGE)
"""The languages with rules of their own, and the unknown one."""


@lru_cache(maxsize=65_536)
def keys_of(word: str, language: str = "") -> frozenset[str]:
    """The keys of a folded word; `language` is a tag such as "de" or "de-CH", empty where it is not known."""
    if _LATIN_WORD.fullmatch(word):
        return _latin(word, language.lower().split("-")[0])
    if _CYRILLIC_WORD.fullmatch(word):
        return _without(word, _CYRILLIC_ENDING)
    if _ARABIC_WORD.fullmatch(word):
        bare = _without(word, _ARABIC_ARTICLE)
        return frozenset(key for one in bare for key in _without(one, _ARABIC_PLURAL))
    if _HANGUL_WORD.fullmatch(word):
        return _without(word, _HANGUL_PARTICLE, shortest=2)
    return frozenset({word})


def _latin(word: str, language: str) -> frozenset[str]:
    if word in _ALONE or len(word) <= _SHORTEST:
        return frozenset({word})
    rules = (*_ENGLISH, *_FRENCH, *_BY_LANGUAGE.get(language, ()))
    bases = {base for ending, instead in rules for base in _replaced(word, ending, instead)}
    return frozenset({word, *bases})


def _replaced(word: str, ending: str, instead: tuple[str, ...]) -> list[str]:
    found = re.search(ending, word)
    if found is None or found.start() < _SHORTEST - (1 if instead != ("",) else 0):
        return []
    return [word[: found.start()] + other for other in instead]


def _without(word: str, affix: re.Pattern[str], *, shortest: int = _SHORTEST) -> frozenset[str]:
    bare = affix.sub("", word, count=1)
    return frozenset({word, bare}) if len(bare) >= shortest else frozenset({word})
