"""Where a release goes: a folder that the driver sees, and a private part that is only where somebody said.

A release is made beside its place and renamed, so it is there whole or not at all, and of two drivers one wins. Where
the private part goes elsewhere it is put there first: a reader who sees ``public/`` sees a complete release.
"""

from __future__ import annotations

import os
import shutil
import uuid
from collections.abc import Callable
from pathlib import Path

from ..errors import MingleError
from .errors import OUTPUT_EXISTS, OUTPUT_UNWRITABLE, USAGE, refuse

#: the private part goes into the release folder, as the program does it
BESIDE = "beside"


class ReleasePlace:
    """Where both parts of a release go."""

    def __init__(self, out: str | os.PathLike[str], private: str | os.PathLike[str] | None) -> None:
        if private is None:
            refuse(
                USAGE,
                "nobody says where the private part of the release goes",
                'give private="path of a folder that only you can read", or private="beside" for a folder private/ '
                "inside the release folder, as the program writes it",
            )
        self.out = _local(out)
        self.private = None if os.fspath(private) == BESIDE else _local(private)
        self.refuse_taken()

    def refuse_taken(self) -> None:
        """Nothing is ever overwritten, and what cannot be written is known before the cluster works."""
        if self.private is not None and (self.private == self.out or self.out in self.private.parents):
            refuse(
                USAGE,
                f"the private part would be inside {self.out}, which is handed out",
                'choose a folder elsewhere, or say private="beside"',
            )
        for path in (self.out, self.private):
            if path is None:
                continue
            if os.path.lexists(path):
                refuse(OUTPUT_EXISTS, f"{path} exists already", "choose another folder, or remove it")
            if not path.parent.is_dir():
                refuse(OUTPUT_UNWRITABLE, f"{path.parent} is no folder", "make it first")

    def put(self, write: Callable[[Path], None]) -> None:
        """Has a whole release written to a new folder, and puts its parts in their places."""
        if self.private is None:
            write(self.out)
            return
        staged = _beside(self.private)
        public = _beside(self.out)
        try:
            write(staged)
            # the two places may be on different disks, and only the public part may touch the shared one
            public.mkdir(mode=0o700)
            shutil.copytree(staged / "public", public / "public")
            (public / "public").chmod(0o700)
            self.refuse_taken()
            os.rename(staged / "private", self.private)
            try:
                os.rename(public, self.out)
            except OSError:
                os.rename(self.private, staged / "private")
                raise
        except OSError as error:
            self.refuse_taken()
            refuse(OUTPUT_UNWRITABLE, f"the release cannot be put in its place: {error.strerror}", "look who may write there")
        except MingleError:
            raise
        finally:
            shutil.rmtree(staged, ignore_errors=True)
            shutil.rmtree(public, ignore_errors=True)


def _local(path: str | os.PathLike[str]) -> Path:
    text = os.fspath(path)
    if "://" in text:
        refuse(
            OUTPUT_UNWRITABLE,
            f"{text} is no folder that the driver sees",
            "give a path on a disk that the driver, and for large tables every executor, has mounted",
        )
    return Path(os.path.abspath(text))


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.{uuid.uuid4().hex}")
