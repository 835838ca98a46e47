"""Static files whose names hold a hash of their content, so that browsers may keep them for ever."""

import re
from collections.abc import Callable
from typing import Any

from django.contrib.staticfiles.storage import ManifestStaticFilesStorage


class HashedFiles(ManifestStaticFilesStorage):
    """Names from the manifest that `collectstatic` writes; imports between ES modules are renamed with them.

    What is not in the manifest keeps its plain name: tests and `runserver` collect nothing, and an error page must not
    fail over a missing file.
    """

    support_js_module_import_aggregation = True
    manifest_strict = False

    def url_converter(
        self, name: str, hashed_files: dict[str, Any], template: str | None = None, *rest: Any, **more: Any
    ) -> Callable[[re.Match[str]], str]:
        """What renames the references of a file. Those to source maps stay: the maps are not here."""
        rename = super().url_converter(name, hashed_files, template, *rest, **more)
        return lambda found: found["matched"] if "sourceMappingURL" in found["matched"] else rename(found)

    def stored_name(self, name: str) -> str:
        """The name with the hash; the plain name where there is none."""
        if self.clean_name(name) not in self.hashed_files:
            return name
        return str(super().stored_name(name))
