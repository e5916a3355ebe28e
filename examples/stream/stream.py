"""Streams an answer with Python's standard library. packages/client-python has a client with types."""

import json
import os
import pathlib
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
local = json.loads(pathlib.Path(os.environ.get("TOLLGATE_FILE", ROOT / ".local/tollgate.json")).read_text())

question = {"type": "message", "role": "user", "content": [{"type": "text", "text": "write 20 words"}]}
request = urllib.request.Request(
    f"{local['base_url']}/responses",
    data=json.dumps({"input": [question]}).encode(),
    headers={
        "Authorization": f"Bearer {local['customer_token']}",
        "Content-Type": "application/json",
        "Accept": "application/x-ndjson",
    },
)
with urllib.request.urlopen(request, timeout=60) as answer:
    for line in answer:
        event = json.loads(line)
        if event["type"] == "error":
            raise SystemExit(f"{event['code']}: {event['message']}")
        print(event.get("delta", ""), end="", flush=True)
print()
