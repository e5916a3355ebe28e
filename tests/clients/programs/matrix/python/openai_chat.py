"""Chat completions with a major of OpenAI's library."""

import json

from openai import OpenAI
from serve import CITY_PARAMETERS, WEATHER, WEATHER_DESCRIPTION, WEATHER_NAME, Book, add_up, serve

TOOL = {
    "type": "function",
    "function": {"name": WEATHER_NAME, "description": WEATHER_DESCRIPTION, "parameters": CITY_PARAMETERS, "strict": True},
}


def ask(task):
    client = OpenAI(api_key=task["apiKey"], base_url=f"{task['origin']}/v1", max_retries=0)
    return client.chat.completions, task["model"], [{"role": "user", "content": task["prompt"]}]


def to_usage(usage):
    return {"input": usage.prompt_tokens, "output": usage.completion_tokens}


def chat(task):
    completions, model, messages = ask(task)
    answer = completions.create(model=model, messages=messages)
    return {"text": answer.choices[0].message.content, "usage": to_usage(answer.usage)}


def stream(task):
    completions, model, messages = ask(task)
    with completions.stream(model=model, messages=messages, stream_options={"include_usage": True}) as events:
        pieces = [event.delta for event in events if event.type == "content.delta"]
        usage = events.get_final_completion().usage
    return {"pieces": pieces, "usage": to_usage(usage)}


def tools(task):
    completions, model, messages = ask(task)
    first = completions.create(model=model, messages=messages, tools=[TOOL])
    message = first.choices[0].message
    messages.append(message)
    messages.extend({"role": "tool", "tool_call_id": call.id, "content": WEATHER} for call in message.tool_calls)
    second = completions.create(model=model, messages=messages, tools=[TOOL])
    return {
        "text": second.choices[0].message.content,
        "inputs": [json.loads(call.function.arguments) for call in message.tool_calls],
        "usage": add_up([to_usage(first.usage), to_usage(second.usage)]),
    }


def structured(task):
    completions, model, messages = ask(task)
    answer = completions.parse(model=model, messages=messages, response_format=Book)
    return {"object": answer.choices[0].message.parsed.model_dump(), "usage": to_usage(answer.usage)}


serve("openai", {"chat": chat, "stream": stream, "tools": tools, "structured": structured})
