"""Responses with a major of OpenAI's library."""

import json

from openai import OpenAI
from serve import CITY_PARAMETERS, WEATHER, WEATHER_DESCRIPTION, WEATHER_NAME, Book, add_up, serve

TOOL = {
    "type": "function",
    "name": WEATHER_NAME,
    "description": WEATHER_DESCRIPTION,
    "parameters": CITY_PARAMETERS,
    "strict": True,
}


def ask(task):
    client = OpenAI(api_key=task["apiKey"], base_url=f"{task['origin']}/v1", max_retries=0)
    return client.responses, task["model"], task["prompt"]


def to_usage(usage):
    return {"input": usage.input_tokens, "output": usage.output_tokens}


def chat(task):
    responses, model, prompt = ask(task)
    answer = responses.create(model=model, input=prompt)
    return {"text": answer.output_text, "usage": to_usage(answer.usage)}


def stream(task):
    responses, model, prompt = ask(task)
    with responses.stream(model=model, input=prompt) as events:
        pieces = [event.delta for event in events if event.type == "response.output_text.delta"]
        usage = events.get_final_response().usage
    return {"pieces": pieces, "usage": to_usage(usage)}


def tools(task):
    responses, model, prompt = ask(task)
    first = responses.create(model=model, input=prompt, tools=[TOOL])
    calls = [item for item in first.output if item.type == "function_call"]
    results = [{"type": "function_call_output", "call_id": call.call_id, "output": WEATHER} for call in calls]
    messages = [{"role": "user", "content": prompt}, *first.output, *results]
    second = responses.create(model=model, input=messages, tools=[TOOL])
    return {
        "text": second.output_text,
        "inputs": [json.loads(call.arguments) for call in calls],
        "usage": add_up([to_usage(first.usage), to_usage(second.usage)]),
    }


def structured(task):
    responses, model, prompt = ask(task)
    answer = responses.parse(model=model, input=prompt, text_format=Book)
    return {"object": answer.output_parsed.model_dump(), "usage": to_usage(answer.usage)}


serve("openai", {"chat": chat, "stream": stream, "tools": tools, "structured": structured})
