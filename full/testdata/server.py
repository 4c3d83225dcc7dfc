"""An MCP server with nothing but Python: it says what it was started with. Test data of .ci/container-full."""

import json
import os
import subprocess
import sys
from zoneinfo import ZoneInfo

TOOLS = {
    "environment": "List the names of the environment variables that this server was started with.",
    "greet": "Greet the visitor in the words that this server was given.",
}


def call(name):
    if name == "environment":
        return "names: " + " ".join(sorted(os.environ))
    return f"{os.environ['GREETING']} ({sys.stdout.encoding}, {ZoneInfo('Europe/Berlin')})"


def answer(method, params):
    if method == "initialize":
        return {
            "protocolVersion": params["protocolVersion"],
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "python", "version": "1"},
        }
    if method == "tools/list":
        schema = {"type": "object", "properties": {}}
        return {"tools": [{"name": n, "description": d, "inputSchema": schema} for n, d in TOOLS.items()]}
    if method == "tools/call":
        return {"content": [{"type": "text", "text": call(params["name"])}]}
    return None


# It never ends by itself: whoever ends this server has to end it, too.
subprocess.Popen(["sleep", "86400"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)

for line in sys.stdin:
    message = json.loads(line)
    if "id" not in message:
        continue
    result = answer(message["method"], message.get("params"))
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    if result is None:
        reply["error"] = {"code": -32601, "message": "no such method"}
    else:
        reply["result"] = result
    print(json.dumps(reply, ensure_ascii=False), flush=True)
