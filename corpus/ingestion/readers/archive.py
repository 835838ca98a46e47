"""Zip archives (EPUB, DOCX) with bounds: what is unpacked is counted as it is, whatever the directory claims."""

import posixpath
import zipfile
import zlib
from dataclasses import dataclass
from io import BytesIO

from corpus.errors import UnreadableFile

_ENCRYPTED = 0x1
_RATIO_FROM = 1024 * 1024
"""Small parts pack well by nature: the ratio counts from this size."""
_PIECE = 64 * 1024


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """What an archive may hold."""

    entries: int = 10_000
    unpacked_bytes: int = 400 * 1024 * 1024
    """Over all parts that are read; one part alone may have a quarter of it."""
    ratio: int = 200
    """Unpacked bytes for one packed."""


class Archive:
    """The parts of a zip file, by name. Raises UnreadableFile for what is no archive or goes beyond its limits."""

    def __init__(self, data: bytes, limits: ArchiveLimits | None = None) -> None:
        self._limits = limits or ArchiveLimits()
        self._left = self._limits.unpacked_bytes
        try:
            self._zip = zipfile.ZipFile(BytesIO(data))
        except (zipfile.BadZipFile, ValueError, NotImplementedError, OSError) as error:
            raise UnreadableFile("The file is broken: it cannot be unpacked. Please export it anew.") from error
        members = self._zip.infolist()
        if len(members) > self._limits.entries:
            raise UnreadableFile(f"The file has {len(members)} parts inside; up to {self._limits.entries} can be read.")
        self._members = {_plain(member.filename): member for member in members if not member.is_dir()}

    def __contains__(self, name: str) -> bool:
        return _plain(name) in self._members

    def read(self, name: str) -> bytes | None:
        """A part's bytes; None when there is no such part. Raises UnreadableFile when it is damaged or too large."""
        member = self._members.get(_plain(name))
        if member is None:
            return None
        if member.flag_bits & _ENCRYPTED:
            raise UnreadableFile("The file needs a password: please save it without one.")
        try:
            return self._unpack(member)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, ValueError, OSError) as error:
            raise UnreadableFile(f"The file is broken: its part {member.filename} cannot be unpacked.") from error

    def _unpack(self, member: zipfile.ZipInfo) -> bytes:
        most = min(self._left, self._limits.unpacked_bytes // 4)
        found = bytearray()
        with self._zip.open(member) as part:
            while piece := part.read(_PIECE):
                found += piece
                if len(found) > most or self._swollen(len(found), member.compress_size):
                    raise UnreadableFile("The file unpacks to far more than it holds, as no document does.")
        self._left -= len(found)
        return bytes(found)

    def _swollen(self, unpacked: int, packed: int) -> bool:
        return unpacked > _RATIO_FROM and unpacked > max(packed, 1) * self._limits.ratio


def _plain(name: str) -> str:
    """A part's name without detours; one that leads out of the archive leads to its top."""
    return posixpath.normpath("/" + name.replace("\\", "/")).lstrip("/")
