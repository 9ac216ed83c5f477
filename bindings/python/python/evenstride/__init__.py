"""Captures of Asheron's Call as tables, scores, and smooth motion from sparse updates.

>>> import evenstride
>>> tracks = evenstride.tracks("session.pcap")      # doctest: +SKIP
>>> tracks["drawn_x"].max()                          # doctest: +SKIP
"""

import json as _json

from ._native import Table, World, __version__, schema, score_json as _score_json, table

__all__ = [
    "Table",
    "World",
    "decisions",
    "entities",
    "moments",
    "schema",
    "score",
    "table",
    "tracks",
    "updates",
]


def tracks(path, **options):
    """Returns one row per entity and frame."""
    return table("tracks", path, **options)


def updates(path, **options):
    """Returns one row per message about motion."""
    return table("updates", path, **options)


def decisions(path, **options):
    """Returns one row per decision about an entity."""
    return table("decisions", path, **options)


def moments(path, **options):
    """Returns one row per moment that a person would notice, worst first."""
    return table("moments", path, **options)


def entities(path, **options):
    """Returns one row per entity, with its numbers over the whole capture."""
    return table("entities", path, **options)


def score(path, *, fps=60.0):
    """Returns the scores of all methods on a capture, one dictionary for each."""
    return _json.loads(_score_json(path, fps=fps))
