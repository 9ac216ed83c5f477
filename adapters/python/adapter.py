#!/usr/bin/env python3
"""Answers the conformance kit: pure functions, and the waypoint queue of a remote body.

Plain Python without packages. docs/conformance-protocol.md describes the lines.
"""

import json
import sys

from body import Body, Unsupported
from space import CALLS

FIELDS = ["cell", "pos", "quat", "queue", "fail", "fc", "pq", "od", "kh", "cvel", "constraint", "route", "stamps"]
BODIES = ["internal", "update_object", "use_time"]


def hello():
    drivers = {"math_calls": {}}
    drivers.update({name: {"fields": FIELDS} for name in BODIES})
    return {"type": "hello", "protocol": 1, "name": "evenstride example, Python", "drivers": drivers}


def main():
    body = None
    for line in sys.stdin:
        question = json.loads(line)
        kind = question["type"]
        if kind == "hello":
            answer = hello()
        else:
            answer = {"id": question["id"]}
            try:
                if kind == "trace":
                    body = Body(question) if question["driver"] in BODIES else None
                    answer["out"] = {}
                elif kind == "call":
                    answer["out"] = CALLS[question["op"]](question["args"])
                elif kind == "event":
                    answer["out"] = body.event(question)
                else:
                    answer["out"] = body.tick(question)
            except Unsupported as why:
                answer["unsupported"] = str(why)
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
