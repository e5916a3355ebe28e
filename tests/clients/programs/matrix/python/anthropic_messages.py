"""Messages with a major of Anthropic's library."""

from anthropic import Anthropic, beta_tool
from serve import WEATHER, Book, add_up, serve


def ask(task):
    client = Anthropic(api_key=task["apiKey"], base_url=task["origin"], max_retries=0)
    messages = [{"role": "user", "content": task["prompt"]}]
    return client, {"model": task["model"], "max_tokens": 500, "messages": messages}


def to_usage(message):
    return {"input": message.usage.input_tokens, "output": message.usage.output_tokens}


def read_text(message):
    return "".join(block.text for block in message.content if block.type == "text")


def chat(task):
    client, asked = ask(task)
    message = client.messages.create(**asked)
    return {"text": read_text(message), "usage": to_usage(message)}


def stream(task):
    client, asked = ask(task)
    with client.messages.stream(**asked) as events:
        pieces = list(events.text_stream)
        message = events.get_final_message()
    return {"pieces": pieces, "usage": to_usage(message)}


def tools(task):
    client, asked = ask(task)
    inputs = []

    @beta_tool
    def get_weather(city: str) -> str:
        """The weather in a city

        Args:
            city: The name of the city
        """
        inputs.append({"city": city})
        return WEATHER

    messages = list(client.beta.messages.tool_runner(**asked, tools=[get_weather]))
    return {"text": read_text(messages[-1]), "inputs": inputs, "usage": add_up([to_usage(one) for one in messages])}


def structured(task):
    client, asked = ask(task)
    message = client.messages.parse(**asked, output_format=Book)
    return {"object": message.parsed_output.model_dump(), "usage": to_usage(message)}


serve("anthropic", {"chat": chat, "stream": stream, "tools": tools, "structured": structured})
