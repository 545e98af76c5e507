"""Talks to /v1 with the official client, and prints what came of it as JSON."""

import json

import openai

client = openai.OpenAI(max_retries=0)
WEATHER = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "The weather in a city.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
GREETING = {"role": "user", "content": "Good evening"}
QUESTION = {"role": "user", "content": "Does it rain in Kiel?"}


def streamed(model, **more):
    text, calls, finish, usage = "", {}, None, None
    chunks = client.chat.completions.create(
        model=model, stream=True, stream_options={"include_usage": True}, **more
    )
    for chunk in chunks:
        usage = chunk.usage or usage
        for choice in chunk.choices:
            text += choice.delta.content or ""
            finish = choice.finish_reason or finish
            for call in choice.delta.tool_calls or []:
                name, arguments = calls.get(call.index, ("", ""))
                calls[call.index] = (name + (call.function.name or ""), arguments + (call.function.arguments or ""))
    return text, [(name, json.loads(arguments)) for name, arguments in calls.values()], finish, usage


def conversation(model):
    text, _, finish, usage = streamed(model, messages=[GREETING])
    whole = client.chat.completions.create(model=model, messages=[GREETING])
    _, tools, tool_finish, _ = streamed(model, messages=[QUESTION], tools=[WEATHER])
    called = client.chat.completions.create(model=model, messages=[QUESTION], tools=[WEATHER])
    call = called.choices[0].message.tool_calls[0]
    result = {"role": "tool", "tool_call_id": call.id, "content": "rain"}
    after = client.chat.completions.create(
        model=model, messages=[QUESTION, called.choices[0].message, result], tools=[WEATHER]
    )
    return {
        "model": model,
        "streamed": text,
        "finish": finish,
        "promptTokens": usage.prompt_tokens,
        "whole": whole.choices[0].message.content,
        "streamedTool": tools[0],
        "streamedToolFinish": tool_finish,
        "wholeTool": [call.function.name, json.loads(call.function.arguments)],
        "afterTool": after.choices[0].message.content,
    }


def refusal(act):
    try:
        act()
    except openai.APIStatusError as error:
        return error.status_code
    return None


stranger = openai.OpenAI(api_key="not-the-token", max_retries=0)
report = {
    "models": [model.id for model in client.models.list()],
    "conversations": [conversation("luna"), conversation("scripted")],
    "badRequest": refusal(lambda: client.chat.completions.create(model="luna", messages=[])),
    "badKey": refusal(lambda: stranger.models.list()),
    "missingModel": refusal(lambda: client.models.retrieve("nobody")),
}
print(json.dumps(report))
