"""litellm_completion.py openai | anthropic: litellm with a provider's wire format."""

import json
import os
import sys

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"

import litellm
from serve import CITY_PARAMETERS, WEATHER, WEATHER_DESCRIPTION, WEATHER_NAME, Book, add_up, serve

provider = sys.argv[1]
TOOL = {
    "type": "function",
    "function": {"name": WEATHER_NAME, "description": WEATHER_DESCRIPTION, "parameters": CITY_PARAMETERS},
}
litellm.telemetry = False


def complete(task, **options):
    base = task["origin"] if provider == "anthropic" else f"{task['origin']}/v1"
    asked = {"messages": [{"role": "user", "content": task["prompt"]}], "max_tokens": 500, **options}
    return litellm.completion(
        model=f"{provider}/{task['model']}", api_base=base, api_key=task["apiKey"], num_retries=0, **asked
    )


def to_usage(answer):
    return {"input": answer.usage.prompt_tokens, "output": answer.usage.completion_tokens}


def chat(task):
    answer = complete(task)
    return {"text": answer.choices[0].message.content, "usage": to_usage(answer)}


def stream(task):
    chunks = list(complete(task, stream=True, stream_options={"include_usage": True}))
    pieces = [choice.delta.content for chunk in chunks for choice in chunk.choices if choice.delta.content]
    return {"pieces": pieces, "usage": to_usage(next(chunk for chunk in chunks if getattr(chunk, "usage", None)))}


def tools(task):
    first = complete(task, tools=[TOOL])
    message = first.choices[0].message
    results = [{"role": "tool", "tool_call_id": call.id, "content": WEATHER} for call in message.tool_calls]
    messages = [{"role": "user", "content": task["prompt"]}, message.model_dump(), *results]
    second = complete(task, messages=messages, tools=[TOOL])
    return {
        "text": second.choices[0].message.content,
        "inputs": [json.loads(call.function.arguments) for call in message.tool_calls],
        "usage": add_up([to_usage(first), to_usage(second)]),
    }


def structured(task):
    answer = complete(task, response_format=Book)
    return {"object": json.loads(answer.choices[0].message.content), "usage": to_usage(answer)}


serve("litellm", {"chat": chat, "stream": stream, "tools": tools, "structured": structured})
