"""OpenAI's agents, over responses."""

import asyncio

from agents import Agent, OpenAIProvider, RunConfig, Runner, function_tool
from serve import WEATHER, Book, serve

# One event loop for all tasks: the connections of a client belong to it.
loop = asyncio.Runner()


def ask(task, **options):
    provider = OpenAIProvider(api_key=task["apiKey"], base_url=f"{task['origin']}/v1", use_responses=True)
    config = RunConfig(model=task["model"], model_provider=provider, tracing_disabled=True)
    return Agent(name="Guide", instructions="Be brief.", **options), task["prompt"], config


def run(task, **options):
    agent, prompt, config = ask(task, **options)
    return loop.run(Runner.run(agent, prompt, run_config=config))


def to_usage(result):
    usage = result.context_wrapper.usage
    return {"input": usage.input_tokens, "output": usage.output_tokens}


def chat(task):
    result = run(task)
    return {"text": result.final_output, "usage": to_usage(result)}


def stream(task):
    async def collect():
        agent, prompt, config = ask(task)
        result = Runner.run_streamed(agent, prompt, run_config=config)
        pieces = [
            event.data.delta
            async for event in result.stream_events()
            if event.type == "raw_response_event" and event.data.type == "response.output_text.delta"
        ]
        return {"pieces": pieces, "usage": to_usage(result)}

    return loop.run(collect())


def tools(task):
    inputs = []

    @function_tool
    def get_weather(city: str) -> str:
        """The weather in a city"""
        inputs.append({"city": city})
        return WEATHER

    result = run(task, tools=[get_weather])
    return {"text": result.final_output, "inputs": inputs, "usage": to_usage(result)}


def structured(task):
    result = run(task, output_type=Book)
    return {"object": result.final_output.model_dump(), "usage": to_usage(result)}


serve("openai-agents", {"chat": chat, "stream": stream, "tools": tools, "structured": structured})
