import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiClient, apiClient } from './api-client.js';
import { closeServer, listenOnLoopback } from './http-server.js';
import { waitUntil } from './wait-until.js';

let server: Server;
let client: ApiClient;
let open = 0;

beforeAll(async () => {
  server = createServer((req, res) => {
    open++;
    res.on('close', () => open--);
    if (req.url?.endsWith('/ndjson')) {
      res.write('{"type":"start"}\n\n{"type":"up');
      res.end('date"}\n{"type":"completion"}');
    } else if (req.url?.endsWith('/sse')) {
      res.end('id: 7\nevent: tick\ndata: {"n":1}\n\n: keepalive\n\ndata: [DONE]\n\n');
    } else if (req.url?.endsWith('/endless')) {
      res.write('{"n":1}\n');
    } else {
      const chunks: Buffer[] = [];
      req.on('data', (chunk: Buffer) => chunks.push(chunk));
      req.on('end', () => {
        res.writeHead(req.url?.endsWith('/empty') ? 204 : 200, { 'x-service-request-id': 'req_1' });
        res.end(
          req.url?.endsWith('/empty')
            ? undefined
            : JSON.stringify({
                method: req.method,
                url: req.url,
                headers: req.headers,
                body: Buffer.concat(chunks).toString(),
              }),
        );
      });
    }
  });
  const port = await listenOnLoopback(server, 0);
  client = apiClient(`http://127.0.0.1:${port}/api/v1`, 'key-1');
});
afterAll(async () => {
  await client.close();
  await closeServer(server);
});

describe('apiClient', () => {
  it('sends JSON with the credential and reads JSON', async () => {
    const answer = await client.post('/things?x=1', { a: 1 }, { 'Idempotency-Key': 'k' });
    expect(answer).toMatchObject({ status: 200, requestId: 'req_1' });
    expect(answer.body).toMatchObject({ method: 'POST', url: '/api/v1/things?x=1', body: '{"a":1}' });
    expect(answer.body.headers).toMatchObject({
      authorization: 'Bearer key-1',
      'content-type': 'application/json',
      'idempotency-key': 'k',
    });
  });

  it('sends text as it is, for requests that are meant to be malformed', async () => {
    expect((await client.post('/things', '{broken')).body.body).toBe('{broken');
  });

  it('gives undefined for an empty answer', async () => {
    expect(await client.delete('/empty')).toMatchObject({ status: 204, text: '', body: undefined });
  });

  it('uses another credential and another base URL', async () => {
    const other = client.as({ 'X-Service-Api-Key': 'pk' }).at('/v1');
    const { body } = await other.get('/models');
    expect(body.url).toBe('/v1/models');
    expect(body.headers['x-service-api-key']).toBe('pk');
    expect(body.headers.authorization).toBeUndefined();
    expect((await client.as(undefined).get('/x')).body.headers.authorization).toBeUndefined();
  });

  it('reads whole NDJSON lines across chunk boundaries and blank lines', async () => {
    const stream = await client.ndjson('/ndjson', {});
    expect(stream.status).toBe(200);
    expect(await stream.all()).toEqual([{ type: 'start' }, { type: 'update' }, { type: 'completion' }]);
  });

  it('reads server-sent events with id, name and data', async () => {
    expect(await (await client.sse('/sse')).all()).toEqual([
      { id: '7', event: 'tick', data: { n: 1 } },
      { data: '[DONE]' },
    ]);
  });

  it('disconnects when the reader stops early', async () => {
    const stream = await client.ndjson('/endless', {});
    for await (const item of stream) {
      expect(item).toEqual({ n: 1 });
      break;
    }
    await waitUntil(() => open === 0, { what: 'the server to see the client gone' });
  });
});
