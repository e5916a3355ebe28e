"""langchain_models.py PACKAGE: LangChain's models."""

import sys

from langchain_core.messages import HumanMessage, ToolMessage
from langchain_core.tools import tool
from serve import WEATHER, Book, add_up, serve

package = sys.argv[1]


def to_model(task):
    common = {"model": task["model"], "api_key": task["apiKey"], "max_retries": 0, "max_tokens": 500}
    if package == "langchain-anthropic":
        from langchain_anthropic import ChatAnthropic

        return ChatAnthropic(**common, base_url=task["origin"])
    from langchain_openai import ChatOpenAI

    return ChatOpenAI(**common, base_url=f"{task['origin']}/v1", stream_usage=True)


def to_usage(message):
    return {"input": message.usage_metadata["input_tokens"], "output": message.usage_metadata["output_tokens"]}


def read_text(message):
    return str(message.text)


def chat(task):
    message = to_model(task).invoke(task["prompt"])
    return {"text": read_text(message), "usage": to_usage(message)}


def stream(task):
    chunks = list(to_model(task).stream(task["prompt"]))
    whole = chunks[0]
    for chunk in chunks[1:]:
        whole = whole + chunk
    return {"pieces": [read_text(chunk) for chunk in chunks if read_text(chunk)], "usage": to_usage(whole)}


def tools(task):
    @tool
    def get_weather(city: str) -> str:
        """The weather in a city"""
        return WEATHER

    model = to_model(task).bind_tools([get_weather])
    messages = [HumanMessage(task["prompt"])]
    first = model.invoke(messages)
    messages.append(first)
    for call in first.tool_calls:
        messages.append(ToolMessage(get_weather.invoke(call["args"]), tool_call_id=call["id"]))
    second = model.invoke(messages)
    return {
        "text": read_text(second),
        "inputs": [call["args"] for call in first.tool_calls],
        "usage": add_up([to_usage(first), to_usage(second)]),
    }


def structured(task):
    result = to_model(task).with_structured_output(Book, include_raw=True).invoke(task["prompt"])
    if result["parsing_error"]:
        raise result["parsing_error"]
    return {"object": result["parsed"].model_dump(), "usage": to_usage(result["raw"])}


serve(package, {"chat": chat, "stream": stream, "tools": tools, "structured": structured})
