"""The names of a provider's models in the order they are wanted: an old one may be gone from one day to the next."""

import logging
from collections.abc import Sequence

logger = logging.getLogger(__name__)


class ModelNames:
    """Ordered names; one that the provider does not know is skipped from then on, until this process ends."""

    def __init__(self, names: Sequence[str]) -> None:
        if not names:
            raise ValueError("A provider needs at least one model name.")
        self._names = tuple(names)
        self._gone: set[str] = set()

    @property
    def current(self) -> str:
        """The first name that is not known to be gone."""
        return next((name for name in self._names if name not in self._gone), self._names[0])

    @property
    def gone(self) -> tuple[str, ...]:
        """The names that the provider turned out not to know."""
        return tuple(name for name in self._names if name in self._gone)

    def forget(self, name: str) -> bool:
        """Skip this name from now on. False when no other is left: then all of them count again."""
        self._gone.add(name)
        if len(self._gone) == len(self._names):
            logger.error("The provider knows none of the models %s.", ", ".join(self._names))
            self._gone.clear()
            return False
        logger.warning("The provider does not know the model %s any more; %s answers from now on.", name, self.current)
        return True

    def __str__(self) -> str:
        """As the staff page says it."""
        return f"{self.current} ({', '.join(self.gone)} not found)" if self.gone else self.current
