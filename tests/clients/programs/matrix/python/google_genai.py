"""Google's library."""

from google import genai
from google.genai import types
from serve import CITY_PARAMETERS, WEATHER, WEATHER_DESCRIPTION, WEATHER_NAME, Book, add_up, serve


def ask(task):
    options = types.HttpOptions(base_url=task["origin"])
    return genai.Client(api_key=task["apiKey"], http_options=options), task["model"], task["prompt"]


def to_usage(answer):
    return {
        "input": answer.usage_metadata.prompt_token_count,
        "output": answer.usage_metadata.candidates_token_count,
    }


def chat(task):
    client, model, prompt = ask(task)
    answer = client.models.generate_content(model=model, contents=prompt)
    return {"text": answer.text, "usage": to_usage(answer)}


def stream(task):
    client, model, prompt = ask(task)
    chunks = list(client.models.generate_content_stream(model=model, contents=prompt))
    return {"pieces": [chunk.text for chunk in chunks if chunk.text], "usage": to_usage(chunks[-1])}


def tools(task):
    client, model, prompt = ask(task)
    declaration = types.FunctionDeclaration(
        name=WEATHER_NAME, description=WEATHER_DESCRIPTION, parameters_json_schema=CITY_PARAMETERS
    )
    config = types.GenerateContentConfig(tools=[types.Tool(function_declarations=[declaration])])
    contents = [types.Content(role="user", parts=[types.Part(text=prompt)])]
    first = client.models.generate_content(model=model, contents=contents, config=config)
    results = [
        types.Part(function_response=types.FunctionResponse(id=call.id, name=call.name, response={"output": WEATHER}))
        for call in first.function_calls
    ]
    contents += [first.candidates[0].content, types.Content(role="user", parts=results)]
    second = client.models.generate_content(model=model, contents=contents, config=config)
    return {
        "text": second.text,
        "inputs": [call.args for call in first.function_calls],
        "usage": add_up([to_usage(first), to_usage(second)]),
    }


def structured(task):
    client, model, prompt = ask(task)
    config = types.GenerateContentConfig(response_mime_type="application/json", response_schema=Book)
    answer = client.models.generate_content(model=model, contents=prompt, config=config)
    return {"object": answer.parsed.model_dump(), "usage": to_usage(answer)}


serve("google-genai", {"chat": chat, "stream": stream, "tools": tools, "structured": structured})
