import { request } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type HttpServer, startHttpServer } from '../server/server.js';

let http: HttpServer | undefined;
afterEach(() => http?.stop(1_000));

/** Sends a request with an Upgrade header. Returns who served it. */
async function ask(method: string, path: string, upgrade: string, body = ''): Promise<string> {
  http = await startHttpServer(
    async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      res.end(`listener ${Buffer.concat(chunks)}`);
    },
    { host: '127.0.0.1', port: 0 },
    new Set(),
    undefined,
    (_req, socket) => socket.end('HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 7\r\n\r\nupgrade'),
  );
  const headers = { Connection: 'Upgrade', Upgrade: upgrade };
  return new Promise((resolve, reject) => {
    const sent = request(`http://${http!.address}${path}`, { method, headers }, (res) => {
      let text = '';
      res.on('data', (chunk) => {
        text += String(chunk);
      });
      res.on('end', () => resolve(text));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

describe('an Upgrade header', () => {
  it('opens a socket at the path of realtime sessions', async () => {
    expect(await ask('GET', '/v1/realtime?model=m', 'websocket')).toBe('upgrade');
  });

  it('changes nothing everywhere else, with the body of the request', async () => {
    expect(await ask('POST', '/v1/chat/completions', 'h2c', '{"a":1}')).toBe('listener {"a":1}');
    await http?.stop(1_000);
    expect(await ask('GET', '/v1/realtimes', 'websocket')).toBe('listener ');
    await http?.stop(1_000);
    expect(await ask('GET', '/v1/realtime', 'h2c')).toBe('listener ');
  });
});
