"""The base of what a user writes: strict, frozen, unknown keys forbidden. Computed data have `data.Data`."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class StrictModel(BaseModel):
    """Immutable data with no unknown keys and no silent type conversion beyond what a field declares."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        validate_default=True,
        allow_inf_nan=False,
        defer_build=True,
    )
