"""Enumerations whose members are a code and its one sentence."""

from __future__ import annotations

from enum import StrEnum


class Code(StrEnum):
    """`NAME = "code", "sentence"`: the member is the code. A code is never reused or renamed."""

    sentence: str

    def __new__(cls, code: str, sentence: str) -> Code:
        """A member whose value is the code."""
        member = str.__new__(cls, code)
        member._value_ = code
        member.sentence = sentence
        return member
