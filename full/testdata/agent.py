"""An agent of one's own with nothing but Python: agent.py URL greets the visitor with the tool of the server at URL, and says which
variables it was given."""

import json
import os
import sys
import urllib.request

session = {}


def ask(method, params, number=None):
    """Sends a message of JSON-RPC over streamable HTTP and returns the result of a request."""
    message = {"jsonrpc": "2.0", "method": method, "params": params} | ({} if number is None else {"id": number})
    headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}
    request = urllib.request.Request(sys.argv[1], json.dumps(message).encode(), headers | session)
    with urllib.request.urlopen(request, timeout=60) as reply:
        if reply.headers["Mcp-Session-Id"]:
            session["Mcp-Session-Id"] = reply.headers["Mcp-Session-Id"]
        for line in reply.read().decode().splitlines():
            text = line.removeprefix("data:").strip()
            if number is not None and text.startswith("{") and json.loads(text).get("id") == number:
                return json.loads(text)["result"]


client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "agent", "version": "1"}}
ask("initialize", client, 1)
ask("notifications/initialized", {})
assert "greet" in [tool["name"] for tool in ask("tools/list", {}, 2)["tools"]]
answer = ask("tools/call", {"name": "greet", "arguments": {}}, 3)
print(answer["content"][0]["text"], "agent:", *sorted(name for name in os.environ if name != "LC_CTYPE"))
