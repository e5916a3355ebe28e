"""A warm program of the matrix: it reads a task as a line of JSON, drives its library, and prints the result as a line."""

import importlib.metadata
import json
import socket
import sys
import traceback

from pydantic import BaseModel

WEATHER = "21 degrees"
WEATHER_NAME = "get_weather"
WEATHER_DESCRIPTION = "The weather in a city"
CITY_PARAMETERS = {
    "type": "object",
    "properties": {"city": {"type": "string"}},
    "required": ["city"],
    "additionalProperties": False,
}

# Addresses outside this machine that the library tried to reach.
strangers = []


class Book(BaseModel):
    title: str
    pages: int


def serve(library, cells):
    """Serves until the input ends. `cells`: functions by the name of the task, each with the task as its argument."""
    emit({"version": importlib.metadata.version(library)})
    for line in sys.stdin:
        task = json.loads(line)
        try:
            result = cells[task["cell"]](task)
        except Exception:
            result = {"error": traceback.format_exc()}
        emit({**result, "strangers": strangers})


def add_up(usages):
    """A usage that adds up answers of one task."""
    return {name: sum(usage[name] for usage in usages) for name in ("input", "output")}


def emit(result):
    sys.stdout.write(json.dumps(result) + "\n")
    sys.stdout.flush()


def look_up_on_loopback(host, *args, **kwargs):
    if host in (None, "127.0.0.1", "localhost", "::1"):
        return look_up(host, *args, **kwargs)
    strangers.append(str(host))
    raise OSError(f"{host} is outside this machine")


look_up = socket.getaddrinfo
socket.getaddrinfo = look_up_on_loopback
