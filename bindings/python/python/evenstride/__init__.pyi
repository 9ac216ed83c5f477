from os import PathLike
from typing import Any, Literal, Optional, Sequence, Union

import numpy as np
import numpy.typing as npt

__version__: str

_Path = Union[str, PathLike[str]]
_Profile = Literal["retail", "acdream", "smooth", "glide"]
_Name = Literal["tracks", "updates", "decisions", "moments", "entities"]

class Table:
    """Rows of a capture, with a column for each value. It speaks Arrow's PyCapsule interface."""

    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> list[str]: ...
    def describe(self, column: str) -> str: ...
    def present(self, column: str) -> npt.NDArray[np.bool_]: ...
    def __len__(self) -> int: ...
    def __contains__(self, column: str) -> bool: ...
    def __getitem__(self, column: str) -> npt.NDArray[Any]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: Optional[object] = None) -> object: ...

class World:
    """Entities of any game, in flat coordinates."""

    def __init__(
        self,
        *,
        profile: _Profile = "glide",
        axes: Literal[
            "z_up_y_forward",
            "y_up_minus_z_forward",
            "y_up_z_forward",
            "z_up_x_forward",
            "x_right_y_down",
        ] = "z_up_y_forward",
        units_per_metre: float = 1.0,
        time: float = 0.0,
    ) -> None: ...
    def advance(self, time: float) -> None: ...
    def update(
        self,
        time: float,
        entity: int,
        position: Sequence[float],
        *,
        rotation: Optional[Sequence[float]] = None,
        velocity: Optional[Sequence[float]] = None,
        number: Optional[int] = None,
        sent_at: Optional[float] = None,
        teleports: bool = False,
    ) -> str: ...
    def remove(self, entity: int) -> bool: ...
    def drawn(self, entity: int, time: float) -> tuple[list[float], list[float]]: ...
    def drawn_all(
        self, time: float
    ) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.float64], npt.NDArray[np.float32]]: ...
    def trace(self, entity: int) -> None: ...
    def explain(self, entity: int) -> list[str]: ...
    def __len__(self) -> int: ...
    def __contains__(self, entity: int) -> bool: ...

def table(
    name: _Name,
    path: _Path,
    *,
    fps: float = 60.0,
    profile: _Profile = "glide",
    changed: bool = False,
    entities: Optional[Sequence[int]] = None,
    max_rows: int = 20_000_000,
) -> Table: ...
def tracks(
    path: _Path,
    *,
    fps: float = 60.0,
    profile: _Profile = "glide",
    changed: bool = False,
    entities: Optional[Sequence[int]] = None,
    max_rows: int = 20_000_000,
) -> Table: ...
def updates(
    path: _Path, *, fps: float = 60.0, profile: _Profile = "glide", max_rows: int = 20_000_000
) -> Table: ...
def decisions(
    path: _Path, *, fps: float = 60.0, profile: _Profile = "glide", max_rows: int = 20_000_000
) -> Table: ...
def moments(
    path: _Path, *, fps: float = 60.0, profile: _Profile = "glide", max_rows: int = 20_000_000
) -> Table: ...
def entities(
    path: _Path, *, fps: float = 60.0, profile: _Profile = "glide", max_rows: int = 20_000_000
) -> Table: ...
def score(path: _Path, *, fps: float = 60.0) -> list[dict[str, Any]]: ...
def schema(name: _Name) -> list[tuple[str, str, str, bool]]: ...
