import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import { waitUntil } from '@tollgate/testkit';
import { fixture } from '../../testing/fixtures.js';
import { collect, InferenceSystem } from '../../testing/inference-system.js';
import { startUpstreamServer, type UpstreamServer } from '../../testing/upstream-server.js';

const MIB = 1024 * 1024;
const FILE = 'A'.repeat(20 * MIB);
const URL = `data:image/png;base64,${FILE}`;

let upstream: UpstreamServer;
let system: InferenceSystem;
/** Longest JSON text that was read or written on the event loop. */
let longest: number;

beforeAll(async () => {
  upstream = await startUpstreamServer((res) => {
    res.writeHead(200, { 'content-type': 'application/json' });
    res.end(fixture('openai', 'chat-text.json'));
  });
  system = await InferenceSystem.start({ OPENAI_BASE_URL: upstream.baseUrl, OPENAI_API_KEY: 'sk-test' });
});
afterAll(async () => {
  await system.stop();
  await upstream.stop();
});

beforeEach(() => {
  longest = 0;
  upstream.requests.length = 0;
  upstream.keepsRaw = true;
  const { parse, stringify } = JSON;
  jest.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    longest = Math.max(longest, text.length);
    return parse(text, reviver);
  });
  jest.spyOn(JSON, 'stringify').mockImplementation((value: unknown, replacer?: unknown, space?: string | number) => {
    const text = stringify(value, replacer as never, space);
    longest = Math.max(longest, text?.length ?? 0);
    return text;
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  upstream.keepsRaw = false;
});

const file = { type: 'file', file: { data_base64: FILE, mime_type: 'image/png' } };
const bodies = {
  'a converted request': {
    dialect: Dialect.NATIVE,
    body: { input: [{ type: 'message', role: 'user', content: [file] }] },
  },
  'a forwarded request': {
    dialect: Dialect.OPENAI_CHAT,
    body: {
      model: 'test-mini',
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: URL } }] }],
    },
  },
};

describe('a turn with a file of 20 MiB', () => {
  it.each(Object.entries(bodies))('reads and writes %s outside the event loop', async (_name, { dialect, body }) => {
    const call = system.call();
    const bytes = Buffer.from(toJson(body));
    longest = 0;
    const request = { dialect, body: bytes, modelId: 'test-mini', maxOutputTokens: 20, holdId: call.requestId };
    const frames: string[] = [];
    for await (const { data } of system.client.generate(request, call)) frames.push(Buffer.from(data).toString());
    expect(frames.join('')).not.toBe('');
    expect(longest).toBeLessThan(MIB);
    const [{ raw }] = upstream.requests as [UpstreamServer['requests'][0]];
    expect(raw.length).toBeGreaterThan(FILE.length);
    expect(raw.includes(URL)).toBe(true);
    expect(raw.includes('"model":"gpt-4o-mini"')).toBe(true);
  });
});

describe('a caller that leaves while its large body waits for the thread', () => {
  it('asks no provider, and releases the hold', async () => {
    const { dialect, body } = bodies['a converted request'];
    const left = new AbortController();
    const call = system.call({ signal: left.signal });
    const bytes = Buffer.from(toJson(body));
    const request = { dialect, body: bytes, modelId: 'test-mini', maxOutputTokens: 20, holdId: call.requestId };
    const frames = collect(system.client.generate(request, call)).catch((error: unknown) => error);
    await new Promise((resolve) => setImmediate(resolve));
    left.abort(new Error('the client left'));
    await frames;
    await waitUntil(() => system.ledger.released.length > 0, { what: 'the release of the hold' });
    system.ledger.findRelease(call.requestId);
    expect(upstream.requests).toEqual([]);
  });
});

/** Without `JSON.stringify`, which is observed. */
function toJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return typeof value === 'string' ? `"${value}"` : String(value);
  return `{${Object.entries(value).map(([name, member]) => `"${name}":${toJson(member)}`)}}`;
}
