"""The small words of some languages: they tell a question's language, and abbreviations from ordinary words (pure)."""

from collections.abc import Iterable

_WORDS = {
    "en": """a about all am an and any are as at be but by can did do does for from had has have he her his how i if in
        into is it its may me my no nor not now of off on one or our out she so some than that the their them then there
        these they this those to too up us was we were what when where which who why will with would you your""",
    "de": """aber alle als am an auch auf aus bei bin bis das dass dein dem den der des die dies du durch ein eine einem
        einen einer er es für haben hat ich ihr im in ist kann kein man mein mich mir mit nach nicht noch nur ob oder
        ohne sein sich sie sind so über um und uns unter von vor war was wenn wer werden wie wir wird wo zu zum zur""",
    "fr": """à au aux avec ce ces cette comme dans de des du elle en est et être il ils je la le les leur lui ma mais me
        mes mon ne nos nous on ou où par pas plus pour pourquoi que quel quelle qui sa sans se ses si son sont sur ta te
        tu un une vos vous""",
    "es": """al como con cuando de del desde donde el ella en entre es esta este esto hay la las le lo los más me mi mis
        muy no nos o para pero por porque qué que se ser si sin sobre son su sus también te tiene tu un una y ya yo""",
    "it": """al alla anche che chi ci come con cosa da dal dei del della delle di dove e gli ha ho i il in io la le lo
        ma mi mia mio nel nella non o per perché più quale quando se si sono su sua suo ti tra tu un una""",
    "nl": """aan al als bij dan dat de deze die dit door een en er had heb hebben heeft het hij hoe ik in is je kan maar
        me met mijn naar niet nog of om onder ook op over te toen uit van veel voor waar waarom was wat we wel wie
        worden wordt ze zich zijn zo""",
    "pt": """ao aos as com como da das de do dos e ela ele em entre essa esse esta este eu foi isso já mais mas me meu
        minha muito na não nas no nos o os ou para pela pelo por porque quando que quem se sem ser seu sua são também
        tem um uma você""",
}
_DETERMINERS = """a an the my your his her its our their this that these those each every no another
    der die das dem den des ein eine einen einem einer eines mein meine dein deine sein seine ihr ihre unser unsere kein
    keine dieser diese dieses jeder jede le la les l un une des du mon ma mes ton ta tes son sa ses notre nos votre vos
    leur leurs ce cet cette ces el los las unos unas su sus mi mis tu tus nuestro nuestra este esta estos estas il lo
    gli i uno del della dei degli delle mio mia tuo tua suo sua questo questa het een de mijn jouw zijn haar ons onze
    deze dit o os as um uma meu minha seu sua nosso nossa esse essa"""
_BY_LANGUAGE = {language: frozenset(words.split()) for language, words in _WORDS.items()}
SMALL_WORDS = frozenset().union(*_BY_LANGUAGE.values())
"""All of them, accents as written."""

DETERMINERS = frozenset(_DETERMINERS.split())
"""Articles and their like: what follows one names a thing."""

_ENOUGH = 2


def guessed_language(words: Iterable[str]) -> str:
    """The tag of the language most of a question's small words belong to; empty when there are too few to tell."""
    counted = list(words)[:200]
    found = {language: sum(word in small for word in counted) for language, small in _BY_LANGUAGE.items()}
    best, second = sorted(found, key=lambda language: -found[language])[:2]
    return best if found[best] >= _ENOUGH and found[best] > found[second] else ""
