"""What an embedded Neo4j is made of: Java, and its jars, which Maven fetches once for all homes on a machine."""

import fcntl
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

from secondact.embedded.errors import EmbeddedError

VERSION = "5.26.30"
OLDEST_JAVA = 17
ARTIFACTS = ("neo4j", "neo4j-bolt")

_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>secondact</groupId> <artifactId>neo4j-jars</artifactId> <version>1</version> <packaging>pom</packaging>
  <dependencies>{dependencies}</dependencies>
</project>
"""
_DEPENDENCY = (
    "<dependency><groupId>org.neo4j</groupId><artifactId>{name}</artifactId><version>{version}</version></dependency>"
)


def java_find() -> Path:
    """A Java that is new enough: of JAVA_HOME, else on the path. Raises EmbeddedError."""
    home = os.environ.get("JAVA_HOME", "")
    found = shutil.which("java", path=str(Path(home) / "bin")) if home else None
    found = found or shutil.which("java")
    if found is None:
        raise EmbeddedError(f"Neo4j needs Java {OLDEST_JAVA} or newer, and there is no java on the path.")
    told = subprocess.run([found, "-version"], capture_output=True, text=True, check=False)  # noqa: S603  (from PATH)
    version = re.search(r'version "(\d+)', told.stderr + told.stdout)
    if version is None or int(version[1]) < OLDEST_JAVA:
        said = f"is {version[1]}" if version else "does not tell its version"
        raise EmbeddedError(f"Neo4j needs Java {OLDEST_JAVA} or newer, and {found} {said}.")
    return Path(found)


def jars_ensure(place: Path, *, say: Callable[[str], None]) -> Path:
    """The folder of the jars of this version, fetched if it is not there yet. Raises EmbeddedError.

    It is whole or not there, and two that want it at the same time fetch it once.
    """
    jars = place / VERSION
    if jars.exists():
        return jars
    maven = shutil.which("mvn")
    if maven is None:
        raise EmbeddedError("The parts of Neo4j are fetched by Maven, and there is no mvn on the path.")
    place.mkdir(parents=True, exist_ok=True)
    with (place / "lock").open("ab") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not jars.exists():
            say(f"Fetching Neo4j {VERSION} into {place}: 123 MB, once ...")
            _fetch(maven, place / f"{VERSION}.partial", jars)
    return jars


def _fetch(maven: str, partial: Path, jars: Path) -> None:
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir()
    dependencies = "".join(_DEPENDENCY.format(name=name, version=VERSION) for name in ARTIFACTS)
    (partial / "pom.xml").write_text(_POM.format(dependencies=dependencies))
    fetched = subprocess.run(  # noqa: S603  (our own argv)
        [
            *(maven, "-B", "-q", "-f", str(partial / "pom.xml"), f"-Dmaven.repo.local={partial / 'repository'}"),
            *("dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={partial / 'lib'}"),
        ],
        cwd=partial,
        capture_output=True,
        text=True,
        check=False,
    )
    if fetched.returncode != 0:
        lines = [line for line in fetched.stdout.splitlines() if "ERROR" in line] or ["no word of why"]
        raise EmbeddedError(f"Maven could not fetch Neo4j {VERSION}: {lines[0][:300]}")
    (partial / "lib").rename(jars)
    shutil.rmtree(partial, ignore_errors=True)
