"""Speech and a transcript in events, with a major of OpenAI's library. Prints what it received."""

import base64
import json
import os

from openai import OpenAI

audio = OpenAI(api_key=os.environ["API_KEY"], base_url=f"{os.environ['BASE_URL']}/v1", max_retries=0).audio

with audio.speech.with_streaming_response.create(
    model=os.environ["SPEECH_MODEL"], voice="alloy", input=os.environ["TEXT"], stream_format="sse"
) as spoken:
    # The library has no reader for these events.
    lines = [line for line in spoken.iter_lines() if line.startswith("data: ")]
events = [json.loads(line.removeprefix("data: ")) for line in lines]
pieces = [base64.b64decode(event["audio"]) for event in events if event["type"] == "speech.audio.delta"]

transcript = ""
done = None
for event in audio.transcriptions.create(
    model=os.environ["TRANSCRIPT_MODEL"], file=("memo.wav", bytes(48_000), "audio/wav"), stream=True
):
    if event.type == "transcript.text.delta":
        transcript += event.delta
    if event.type == "transcript.text.done":
        done = event
print(
    json.dumps(
        {
            "speech": b"".join(pieces).decode(),
            "speechUsage": events[-1].get("usage"),
            "transcript": transcript,
            "text": done.text,
            "transcriptUsage": done.usage.to_dict(),
        }
    )
)
