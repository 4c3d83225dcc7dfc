// A client of the official SDK: it uses all of server-everything and prints what it got, so that a server with a proxy
// before it can be compared with one without.
//
//   node observe.mjs http URL
//   node observe.mjs stdio COMMAND [ARGUMENT...]
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import {
  CreateMessageRequestSchema, ElicitRequestSchema, ListRootsRequestSchema, LoggingMessageNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';

const [kind, target, ...args] = process.argv.slice(2);
const transport = kind === 'http'
  ? new StreamableHTTPClientTransport(new URL(target))
  : new StdioClientTransport({ command: target, args, env: process.env, stderr: 'inherit' });

const seen = {};
const note = (key, value) => { (seen[key] ??= []).push(value); };
const client = new Client({ name: 'observer', version: '1.0.0' }, { capabilities: { sampling: {}, elicitation: {}, roots: {} } });
client.setRequestHandler(CreateMessageRequestSchema, (request) => {
  note('sampling asked', request.params.messages);
  return { model: 'none', role: 'assistant', content: { type: 'text', text: 'sampled' } };
});
client.setRequestHandler(ElicitRequestSchema, (request) => {
  note('elicitation asked', Object.keys(request.params.requestedSchema?.properties ?? {}));
  return { action: 'decline' };
});
client.setRequestHandler(ListRootsRequestSchema, () => ({ roots: [{ uri: 'file:///somewhere', name: 'somewhere' }] }));
client.setNotificationHandler(LoggingMessageNotificationSchema, () => {});

await client.connect(transport);
note('server', [client.getServerVersion(), client.getServerCapabilities(), client.getInstructions()]);
// The server offers some tools only when it knows what the client can do.
await new Promise((done) => setTimeout(done, 500));
const { tools } = await client.listTools();
note('tools', tools);
note('resources', await client.listResources());
note('templates', await client.listResourceTemplates());
note('prompts', await client.listPrompts());
note('prompt', await client.getPrompt({ name: 'args-prompt', arguments: { city: 'Oslo' } }));
note('resource', await client.readResource({ uri: 'demo://resource/static/document/features.md' }));
note('completion', await client.complete({
  ref: { type: 'ref/prompt', name: 'completable-prompt' }, argument: { name: 'department', value: 'E' },
}));

const call = async (name, args, options) => {
  try {
    note(`call of ${name}`, await client.callTool({ name, arguments: args }, undefined, options));
  } catch (error) {
    note(`call of ${name}`, `${error.name}: ${error.message}`);
  }
};
await call('echo', { message: '<é> \u2028 "quoted"\n' });
await call('get-sum', { a: 1, b: 2 });
await call('get-sum', { a: 'one' });
await call('get-structured-content', { location: 'New York' });
await call('get-tiny-image', {});
await call('no-such-tool', {});
for (const name of ['trigger-sampling-request', 'trigger-elicitation-request', 'get-roots-list']) {
  if (tools.some((tool) => tool.name === name)) await call(name, name === 'trigger-sampling-request' ? { prompt: 'who?' } : {});
}
const progress = [];
await call('trigger-long-running-operation', { duration: 1, steps: 4 }, { onprogress: (p) => progress.push(p.progress) });
note('progress', progress.slice(0, 3)); // the client drops the last one when it comes with the result

const stop = new AbortController();
setTimeout(() => stop.abort('enough'), 300);
const begun = Date.now();
await call('trigger-long-running-operation', { duration: 20, steps: 20 }, { signal: stop.signal, onprogress: () => {} });
note('cancelled in time', Date.now() - begun < 5000);
await call('echo', { message: 'after the cancelled call' });
await client.close();
process.stdout.write(`${JSON.stringify(seen, null, 1)}\n`, () => process.exit(0));
