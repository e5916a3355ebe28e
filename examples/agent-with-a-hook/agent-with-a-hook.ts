// An agent with a tool that this program executes: Tollgate calls the hook while the run waits for the result.
import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ask, backend, local, owner } from '../local.js';

const TOOL = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    description: 'Returns the weather of a city',
    parameters: { type: 'object', properties: { city: { const: 'Lisbon' } }, required: ['city'] },
  },
};

let secret = '';

const server = createServer(async (req, res) => {
  const body = await text(req);
  if (!isSigned(req, body)) return res.writeHead(401).end();
  const { tool_call: call } = JSON.parse(body);
  console.log(`The hook executes ${call.name} with ${JSON.stringify(call.arguments)}`);
  res.setHeader('Content-Type', 'application/json');
  return res.end(JSON.stringify({ action: 'allow', result: { city: 'Lisbon', sky: 'clear', celsius: 24 } }));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const endpoint_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;

// The owner registers the hook. Its secret is returned only here.
const { hook, signing_secret } = await owner.createToolHook(local.project_id, {
  hook_type: 'tool_execute',
  endpoint_url,
  tools_allowlist: [TOOL.function.name],
});
secret = signing_secret;
try {
  // The agent's tool is bound to the hook: no other executor runs it.
  const { agent } = await backend.createAgent(local.project_id, {
    name: 'Weather',
    slug: `weather-${crypto.randomUUID()}`,
    model: 'sandbox/echo-1',
    system: 'Answer briefly.',
    tools: [{ hook_id: hook.id, definition: TOOL }],
  });
  const run = await backend.runAgent(local.project_id, agent.agent.slug, { input: ask('call tool get_weather') });
  console.log(`The run has ${run.status}: ${JSON.stringify(run.output.at(-1))}`);
  await backend.deleteAgent(local.project_id, agent.agent.slug);
} finally {
  await owner.deleteToolHook(local.project_id, hook.id);
  server.close();
}

/** The signature covers the time and the bytes of the body. */
function isSigned({ headers }: IncomingMessage, body: string): boolean {
  const timestamp = String(headers['x-service-timestamp']);
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`);
  const received = Buffer.from(String(headers['x-service-signature']));
  return received.length === expected.length && timingSafeEqual(received, expected);
}
