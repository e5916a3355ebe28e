import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import { z } from 'zod';
import { type RouteTest, startRouteTest } from '../../../testing/route-test.js';
import { defineRoute } from '../route.js';

const BODIES = 12;
const MIB = 1024 * 1024;

/** Counts turns of the event loop. */
let turn = 0;
let turning: NodeJS.Immediate;
/** The turn in which each body was validated. */
const validatedIn: number[] = [];

const upload = defineRoute({
  method: 'POST',
  path: '/uploads',
  tag: 'Test',
  summary: 'Test',
  auth: ['secret_key'],
  body: z.custom(() => {
    validatedIn.push(turn);
    return true;
  }),
  success: { status: 200 },
  handler: async () => ({ body: {} }),
});

/** The length of the last file that was received. */
let fileLength = 0;

const uploadFile = defineRoute({
  method: 'POST',
  path: '/files-in-json',
  tag: 'Test',
  summary: 'Test',
  auth: ['secret_key'],
  bodyClass: 'generating',
  body: z.object({ file: z.string() }),
  success: { status: 200 },
  handler: async ({ body }) => {
    fileLength = body.file.length;
    return { body: {} };
  },
});

let harness: RouteTest;
let server: Server;

beforeAll(async () => {
  harness = await startRouteTest(import.meta.url, [upload, uploadFile], []);
  server = createServer(harness.app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const count = (): void => {
    turn += 1;
    turning = setImmediate(count);
  };
  count();
});

afterAll(async () => {
  clearImmediate(turning);
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await harness.stop();
});

function send(body: string, path = '/uploads'): Promise<number | undefined> {
  const { port } = server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${harness.tenant.secretKey}` };
  return new Promise((resolve, reject) => {
    const req = request({ port, host: '127.0.0.1', method: 'POST', path: `/api/v1${path}`, headers, agent: false });
    req.on('error', reject);
    req.on('response', (res) => res.resume().on('end', () => resolve(res.statusCode)));
    req.end(body);
  });
}

it('validates large bodies that arrive at once in different turns of the event loop', async () => {
  const body = JSON.stringify({ text: 'x'.repeat(200_000) });
  const statuses = await Promise.all(Array.from({ length: BODIES }, () => send(body)));
  expect(statuses).toEqual(Array(BODIES).fill(200));
  expect(new Set(validatedIn).size).toBe(BODIES);
});

it('parses a file of 20 MiB in another thread', async () => {
  const longest: number[] = [];
  const parse = JSON.parse;
  const spied = jest.spyOn(JSON, 'parse').mockImplementation((text, reviver) => {
    longest.push(text.length);
    return parse(text, reviver);
  });
  try {
    expect(await send(`{"file":"${'A'.repeat(20 * MIB)}"}`, '/files-in-json')).toBe(200);
  } finally {
    spied.mockRestore();
  }
  expect(fileLength).toBe(20 * MIB);
  expect(Math.max(0, ...longest)).toBeLessThan(MIB);
});

it.each([
  ['broken JSON', `{"file":"${'A'.repeat(2 * 1024 * 1024)}"`],
  ['a number that is too large', `{"file":"${'A'.repeat(2 * 1024 * 1024)}","n":1e999}`],
  ['a list', `["${'A'.repeat(2 * 1024 * 1024)}"]`],
])('refuses %s of some MiB as in small bodies', async (_what, body) => {
  expect(await send(body, '/files-in-json')).toBe(400);
});

it('forgets a large body whose client leaves before its turn in the thread', async () => {
  fileLength = 0;
  const { bodies, jsonThread } = harness.ctx;
  const large = Buffer.from(`["${'A'.repeat(16 * MIB)}"]`);
  let isFree = false;
  // Accounts take turns: the client's is the last.
  const others = Promise.all(Array.from({ length: 8 }, (_, i) => jsonThread.parse(`other-${i}`, large))).then(() => {
    isFree = true;
  });
  const { port } = server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${harness.tenant.secretKey}` };
  const path = '/api/v1/files-in-json';
  const leaving = request({ port, host: '127.0.0.1', method: 'POST', path, headers, agent: false });
  leaving.on('error', () => undefined);
  const body = `{"file":"${'A'.repeat(MIB)}"}`;
  leaving.end(body);
  await waitUntil(() => bodies.bytes === body.length, { what: 'the body' });
  leaving.destroy();
  await waitUntil(() => bodies.bytes === 0, { what: 'the end of the request' });
  expect(isFree).toBe(false);
  await others;
  expect(fileLength).toBe(0);
});
