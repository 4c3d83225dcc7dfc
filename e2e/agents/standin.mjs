// A model on loopback that plays a script, for agents that speak OpenAI's Responses API, its chat completions, Anthropic's
// Messages or Google's generateContent, all as streams. It has no state: how far the script is follows from the results in the request, so that runs at once share it.
//
// STANDIN_SCRIPT is JSON: a list of turns, each a list of calls {"tool": END, "args": {…}}. END is the end of the name of an
// offered tool, or of one that a search has returned; {"name": NAME} is called as it is, offered or not, and {"search": QUERY} is a search
// for tools. After the last turn the model says "Done.".
// STANDIN_LOG is a file that gets a line of JSON for each request that offers tools: their names.
// STANDIN_FIRST is a file that gets the first of these requests.
// The first line of standard output is the base address.
import { appendFileSync, existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';

const script = JSON.parse(process.env.STANDIN_SCRIPT);
const usage = { input: 1000, cached: 200, output: 30, reasoning: 10 };
let serial = 0;
const newID = (prefix) => `${prefix}_${++serial}`;

// turnAfter returns the calls of the turn that comes after so many results; null when the script is over.
function turnAfter(results, offered) {
  for (const turn of script) {
    if (results < turn.length) return turn.map((call) => ({ ...find(call, offered), args: call.args ?? {} }));
    results -= turn.length;
  }
  return null;
}

function find(call, offered) {
  if (call.search) return { search: call.search };
  if (call.name) return { name: call.name };
  const tool = offered.find((t) => t.name.endsWith(call.tool));
  if (!tool) throw new Error(`no tool that ends in ${call.tool} is offered`);
  return tool;
}

function log(offered, body) {
  const first = process.env.STANDIN_FIRST;
  if (first && offered.length && !existsSync(first)) writeFileSync(first, JSON.stringify(body));
  if (process.env.STANDIN_LOG) appendFileSync(process.env.STANDIN_LOG, JSON.stringify(offered.map((t) => t.name)) + '\n');
}

// Responses: https://platform.openai.com/docs/api-reference/responses-streaming
function responses(body, send) {
  const listed = (tools) => (tools ?? []).flatMap((t) =>
    t.type === 'namespace' ? t.tools.map((u) => ({ name: u.name, namespace: t.name })) : t.name ? [{ name: t.name }] : []);
  const offered = listed(body.tools);
  log(offered, body);
  const results = body.input.filter((i) => /_output$/.test(i.type ?? ''));
  const calls = turnAfter(results.length, offered.concat(results.flatMap((r) => (r.type === 'tool_search_output' ? listed(r.tools) : []))));
  const output = calls
    ? calls.map((c) => c.search ? {
      type: 'tool_search_call', id: newID('tsc'), call_id: newID('call'), execution: 'client', status: 'completed', arguments: { query: c.search },
    } : ({
      type: 'function_call', id: newID('fc'), call_id: newID('call'), status: 'completed',
      ...(c.namespace ? { namespace: c.namespace } : {}), name: c.name, arguments: JSON.stringify(c.args),
    }))
    : [{
      type: 'message', id: newID('msg'), role: 'assistant', status: 'completed',
      content: [{ type: 'output_text', text: 'Done.', annotations: [] }],
    }];
  const response = {
    id: newID('resp'), object: 'response', created_at: 0, status: 'completed', model: body.model, output,
    usage: {
      input_tokens: usage.input, input_tokens_details: { cached_tokens: usage.cached }, output_tokens: usage.output,
      output_tokens_details: { reasoning_tokens: usage.reasoning }, total_tokens: usage.input + usage.output,
    },
  };
  const event = (type, data) => send({ type, ...data }, type);
  event('response.created', { response: { ...response, status: 'in_progress', output: [], usage: null } });
  output.forEach((item, output_index) => {
    event('response.output_item.added', { output_index, item: { ...item, status: 'in_progress' } });
    if (item.type === 'message') {
      event('response.output_text.delta', { item_id: item.id, output_index, content_index: 0, delta: 'Done.' });
    }
    event('response.output_item.done', { output_index, item });
  });
  event('response.completed', { response });
}

// generateContent: https://ai.google.dev/api/generate-content
function gemini(body, send) {
  const offered = (body.tools ?? []).flatMap((t) => t.functionDeclarations ?? []).map((f) => ({ name: f.name }));
  log(offered, body);
  const results = body.contents.flatMap((c) => c.parts ?? []).filter((p) => p.functionResponse).length;
  const calls = turnAfter(results, offered);
  const parts = calls ? calls.map((c) => ({ functionCall: { id: newID('call'), name: c.name, args: c.args } })) : [{ text: 'Done.' }];
  send({
    candidates: [{ index: 0, content: { role: 'model', parts }, finishReason: 'STOP' }],
    usageMetadata: {
      promptTokenCount: usage.input, cachedContentTokenCount: usage.cached, candidatesTokenCount: usage.output - usage.reasoning,
      thoughtsTokenCount: usage.reasoning, totalTokenCount: usage.input + usage.output,
    },
    modelVersion: 'standin', responseId: newID('resp'),
  });
}

// Chat completions: https://platform.openai.com/docs/api-reference/chat-streaming
function chat(body, send) {
  const offered = (body.tools ?? []).map((t) => ({ name: t.function.name }));
  log(offered, body);
  const calls = offered.length ? turnAfter(body.messages.filter((m) => m.role === 'tool').length, offered) : null;
  const base = { id: newID('chatcmpl'), object: 'chat.completion.chunk', created: 0, model: body.model };
  const delta = calls
    ? { role: 'assistant', tool_calls: calls.map((c, index) => ({ index, id: newID('call'), type: 'function', function: { name: c.name, arguments: JSON.stringify(c.args) } })) }
    : { role: 'assistant', content: 'Done.' };
  send({ ...base, choices: [{ index: 0, delta, finish_reason: null }] });
  send({ ...base, choices: [{ index: 0, delta: {}, finish_reason: calls ? 'tool_calls' : 'stop' }] });
  send({
    ...base, choices: [],
    usage: {
      prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output,
      prompt_tokens_details: { cached_tokens: usage.cached }, completion_tokens_details: { reasoning_tokens: usage.reasoning },
    },
  });
}

// Messages: https://platform.claude.com/docs/en/build-with-claude/streaming
function messages(body, send) {
  const offered = (body.tools ?? []).map((t) => ({ name: t.name }));
  log(offered, body);
  const blocks = body.messages.flatMap((m) => (Array.isArray(m.content) ? m.content : []));
  const calls = offered.length ? turnAfter(blocks.filter((b) => b.type === 'tool_result').length, offered) : null;
  const content = calls ? calls.map((c) => ({ type: 'tool_use', id: newID('toolu'), ...(c.search ? { name: 'ToolSearch', input: { query: c.search } } : { name: c.name, input: c.args }) })) : [{ type: 'text', text: 'Done.' }];
  const tokens = { input_tokens: usage.input - usage.cached, cache_read_input_tokens: usage.cached, cache_creation_input_tokens: 0, output_tokens: usage.output };
  const event = (type, data) => send({ type, ...data }, type);
  const message = { id: newID('msg'), type: 'message', role: 'assistant', model: body.model, content: [], stop_reason: null, stop_sequence: null, usage: tokens };
  event('message_start', { message });
  content.forEach((block, index) => {
    const isCall = block.type === 'tool_use';
    event('content_block_start', { index, content_block: isCall ? { ...block, input: {} } : { type: 'text', text: '' } });
    event('content_block_delta', { index, delta: isCall ? { type: 'input_json_delta', partial_json: JSON.stringify(block.input) } : { type: 'text_delta', text: block.text } });
    event('content_block_stop', { index });
  });
  event('message_delta', { delta: { stop_reason: calls ? 'tool_use' : 'end_turn', stop_sequence: null }, usage: tokens });
  event('message_stop', {});
}

const apis = [[/\/chat\/completions$/, chat], [/\/messages$/, messages], [/\/responses$/, responses], [/:streamGenerateContent$/, gemini]];

const server = createServer(async (request, reply) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const path = new URL(request.url, 'http://localhost').pathname;
  const api = apis.find(([pattern]) => pattern.test(path));
  if (!api) {
    reply.writeHead(404, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: `there is no ${path}` } }));
    return;
  }
  try {
    const events = [];
    api[1](JSON.parse(Buffer.concat(chunks).toString()), (data, name) =>
      events.push(`${name ? `event: ${name}\n` : ''}data: ${JSON.stringify(data)}\n\n`));
    reply.writeHead(200, { 'content-type': 'text/event-stream' }).end(events.join(''));
  } catch (error) {
    reply.writeHead(400, { 'content-type': 'application/json' }).end(JSON.stringify({ error: { message: String(error) } }));
  }
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
