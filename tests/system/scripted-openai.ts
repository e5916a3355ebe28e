// A server with OpenAI's paths whose answers a test writes; it keeps the requests.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies freely; their assertions are the check
type Json = any;

export interface ScriptedCall {
  path: string;
  /** Parsed JSON, or the fields of a form; several fields of one name are a list. */
  body: Json;
}

/** The answer to a call: JSON, or the data of server-sent events. */
export type ScriptedAnswer = { status?: number; json: object } | { events: readonly (object | string)[] };

export interface ScriptedOpenAi {
  /** With the version segment. */
  readonly baseUrl: string;
  readonly calls: ScriptedCall[];
  answer(script: (call: ScriptedCall) => ScriptedAnswer): void;
  stop(): Promise<void>;
}

export async function startScriptedOpenAi(): Promise<ScriptedOpenAi> {
  const calls: ScriptedCall[] = [];
  let script: (call: ScriptedCall) => ScriptedAnswer = () => ({
    status: 500,
    json: { error: { message: 'no script' } },
  });
  const server = createServer((req, res) => {
    readBody(req)
      .then((body) => {
        const call = { path: (req.url ?? '').replace(/^\/v1/, ''), body };
        calls.push(call);
        const answer = script(call);
        if ('events' in answer) {
          res.writeHead(200, { 'content-type': 'text/event-stream' });
          for (const event of answer.events)
            res.write(`data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`);
          res.end();
        } else {
          res.writeHead(answer.status ?? 200, { 'content-type': 'application/json' });
          res.end(JSON.stringify(answer.json));
        }
      })
      .catch((error: unknown) => res.writeHead(500).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    calls,
    answer: (next) => {
      script = next;
      calls.length = 0;
    },
    stop: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function readBody(req: IncomingMessage): Promise<Json> {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  const type = req.headers['content-type'] ?? '';
  if (!type.startsWith('multipart/form-data'))
    return bytes.length === 0 ? undefined : JSON.parse(bytes.toString('utf8'));
  const form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
  const fields: Json = {};
  for (const name of new Set(form.keys())) {
    const values = form.getAll(name);
    fields[name] = values.length === 1 ? values[0] : values;
  }
  return fields;
}
