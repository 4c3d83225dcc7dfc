"""An agent of one's own, on the official SDK: agent.py CONFIG reads its MCP servers from a file in the mcpServers form and its
prompt from standard input, works on it, and writes down what it did as OpenAI's chat completions do.

It needs no key, because the function choose stands in for a model: replace it with your model. The rest is the same for any such
agent.
"""

import asyncio
import json
import sys

from mcp import ClientSession
from mcp.client.streamable_http import streamablehttp_client


def choose(prompt, tools):
    """Returns the tool whose description has the most words of the prompt; None where none has any."""
    words = [word for word in prompt.lower().split() if len(word) > 3]
    found = [(sum(word in (tool.description or "").lower() for word in words), tool.name) for tool in tools]
    most = max((n for n, _ in found), default=0)
    return next((name for n, name in found if n == most), None) if most else None


async def work(name, url, prompt, messages):
    """Works on the prompt with the tools of one server, and returns whether that failed."""
    async with streamablehttp_client(url) as (read, write, _), ClientSession(read, write) as session:
        await session.initialize()
        tool = choose(prompt, (await session.list_tools()).tools)
        if tool is None:
            return False
        arguments = {"title": prompt.strip()}
        result = await session.call_tool(tool, arguments)
        function = {"name": f"{name}__{tool}", "arguments": json.dumps(arguments)}
        messages.append({"role": "assistant", "content": None, "tool_calls": [{"id": name, "type": "function", "function": function}]})
        text = "\n".join(one.text for one in result.content if one.type == "text")  # there can be none, and there can be images
        messages.append({"role": "tool", "tool_call_id": name, "content": text})
        return result.isError


async def main():
    prompt = sys.stdin.read()
    with open(sys.argv[1], encoding="utf-8") as file:
        servers = json.load(file)["mcpServers"]
    messages = [{"role": "user", "content": prompt}]
    failed = [name for name in sorted(servers) if await work(name, servers[name]["url"], prompt, messages)]
    messages.append({"role": "assistant", "content": "A tool failed." if failed else "Done."})
    print(json.dumps({"messages": messages}))


asyncio.run(main())
