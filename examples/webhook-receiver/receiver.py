"""The same as receiver.ts with Python's standard library. `--once` ends after one event."""

import base64
import hashlib
import hmac
import json
import os
import pathlib
import sys
import threading
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

ROOT = pathlib.Path(__file__).resolve().parents[2]
local = json.loads(pathlib.Path(os.environ.get("TOLLGATE_FILE", ROOT / ".local/tollgate.json")).read_text())
webhooks = f"{local['base_url']}/projects/{local['project_id']}/webhooks"
secret = ""


def verify(headers, body: bytes):
    """Returns the event. Raises ValueError for a wrong signature and for an old delivery."""
    message_id, timestamp = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(timestamp)) > 300:
        raise ValueError("the delivery is too old")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    content = f"{message_id}.{timestamp}.".encode() + body
    expected = base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()
    signatures = headers["webhook-signature"].split(" ")
    if not any(hmac.compare_digest(f"v1,{expected}".encode(), each.encode()) for each in signatures):
        raise ValueError("no signature matches")
    return json.loads(body)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        try:
            event = verify(self.headers, body)
        except (KeyError, TypeError, ValueError) as error:
            print(f"Refused: {error}", flush=True)
            self.send_response(400)
        else:
            print(f"Received {event['event_type']} {event['event_id']}", flush=True)
            self.send_response(204)
            if "--once" in sys.argv:
                threading.Thread(target=self.server.shutdown).start()
        self.end_headers()

    def log_message(self, *_):
        pass


def call(method: str, url: str, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {local['owner']['access_token']}", "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(url, data, headers, method=method), timeout=30) as answer:
        text = answer.read()
    return json.loads(text) if text else None


server = ThreadingHTTPServer(("127.0.0.1", 0), Receiver)
endpoint = f"http://127.0.0.1:{server.server_port}/webhooks"
settings = {"endpoint_url": endpoint, "events": ["request.completed"], "signature_form": "standard"}
webhook = call("POST", webhooks, settings)["webhook"]
secret = webhook["signing_secret"]
threading.Thread(target=call, args=("POST", f"{webhooks}/{webhook['id']}/test", {})).start()
print("Listening; every model request of the project is reported here. Ctrl-C ends.", flush=True)
try:
    server.serve_forever()
except KeyboardInterrupt:
    pass
finally:
    call("DELETE", f"{webhooks}/{webhook['id']}")
