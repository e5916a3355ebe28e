"""pydantic_ai_agent.py openai-chat | openai-responses | anthropic: agents of Pydantic AI, with its ways of output."""

import asyncio
import sys

from pydantic_ai import Agent, NativeOutput
from serve import WEATHER, Book, serve

wire = sys.argv[1]

# One event loop for all tasks: the connections of a client belong to it.
loop = asyncio.Runner()


def to_model(task):
    if wire == "anthropic":
        from anthropic import AsyncAnthropic
        from pydantic_ai.models.anthropic import AnthropicModel
        from pydantic_ai.providers.anthropic import AnthropicProvider

        client = AsyncAnthropic(api_key=task["apiKey"], base_url=task["origin"], max_retries=0)
        return AnthropicModel(task["model"], provider=AnthropicProvider(anthropic_client=client))
    from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
    from pydantic_ai.providers.openai import OpenAIProvider

    kind = OpenAIChatModel if wire == "openai-chat" else OpenAIResponsesModel
    return kind(task["model"], provider=OpenAIProvider(base_url=f"{task['origin']}/v1", api_key=task["apiKey"]))


def run(task, agent):
    return loop.run(agent.run(task["prompt"], model=to_model(task)))


def to_usage(result):
    return {"input": result.usage.input_tokens, "output": result.usage.output_tokens}


def chat(task):
    result = run(task, Agent())
    return {"text": result.output, "usage": to_usage(result)}


def stream(task):
    async def collect():
        async with Agent().run_stream(task["prompt"], model=to_model(task)) as result:
            pieces = [piece async for piece in result.stream_text(delta=True, debounce_by=None)]
            return {"pieces": pieces, "usage": to_usage(result)}

    return loop.run(collect())


def tools(task):
    inputs = []
    agent = Agent()

    @agent.tool_plain
    def get_weather(city: str) -> str:
        """The weather in a city"""
        inputs.append({"city": city})
        return WEATHER

    result = run(task, agent)
    return {"text": result.output, "inputs": inputs, "usage": to_usage(result)}


def structured(task):
    output = Book if wire == "anthropic" else NativeOutput(Book)
    result = run(task, Agent(output_type=output))
    return {"object": result.output.model_dump(), "usage": to_usage(result)}


serve("pydantic-ai-slim", {"chat": chat, "stream": stream, "tools": tools, "structured": structured})
