"""What Schemathesis cannot know: what is there, what it stands on, and which 503 is somebody else's fault."""

import json
import os
import zlib

import schemathesis

VALUES = json.loads(os.environ["FUZZ_VALUES"])  # by `<segment before>.<parameter>`, or by parameter
KEPT = json.loads(os.environ["FUZZ_KEPT"])  # ids of what its own credentials stand on
UNCHANGED = json.loads(os.environ["FUZZ_UNCHANGED"])
NOBODY = "00000000-0000-4000-8000-000000000000"

# Codes of 503 answers that a request can provoke through what it names: an owner's tool hook that fails.
FOREIGN_FAULTS = {"HOOK_FAILED"}


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    """Mostly things that are there. What deletes meets only what is not, or nothing would be left."""
    if not path_parameters or context.operation.method.upper() == "DELETE":
        return path_parameters
    # Deterministic like the values: every run has to be the same.
    choice = zlib.crc32(repr(sorted(path_parameters.items())).encode()) % 4
    if choice == 0:
        return path_parameters
    known = known_parameters(context.operation.path)
    if choice == 1:  # something that is not there, inside of something that is
        known = dict(list(known.items())[:-1])
    return {**path_parameters, **known}


@schemathesis.hook
def map_headers(context, headers):
    """An id that names no customer is 404 everywhere: `fuzz.test.ts` tries such ids."""
    return {name: value for name, value in (headers or {}).items() if name.lower() != "x-service-customer-id"}


@schemathesis.hook
def before_call(context, case, kwargs):
    """It also finds ids in answers: without its own project, customer, tier and keys all that follows would be 401 or 429."""
    method = case.method.upper()
    last = list(case.path_parameters.values())[-1:]
    kept = KEPT if method == "DELETE" else UNCHANGED if method == "PUT" else []
    if last and last[0] in kept:
        case.path_parameters = {name: NOBODY for name in case.path_parameters}


def known_parameters(path):
    segments = path.split("/")
    known = {}
    for before, segment in zip(segments, segments[1:]):
        if segment.startswith("{"):
            name = segment[1:-1]
            known[name] = VALUES.get(f"{before}.{name}", VALUES.get(name))
    return {name: value for name, value in known.items() if value is not None}


@schemathesis.hook
def filter_failure(context, failure, case, response):
    if response.status_code != 503:
        return True
    try:
        return response.json().get("code") not in FOREIGN_FAULTS
    except ValueError:
        return True
