import { once } from 'node:events';
import { Agent, request, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { configFromEnv } from '../../config.js';
import { AnswerStream, type OpenStreams, streamHeaders } from '../answer/stream.js';
import { type HttpServer, startHttpServer } from './server.js';

const at = { host: '127.0.0.1', port: 0 };

async function get(http: HttpServer): Promise<{ headers: Record<string, unknown>; text: Promise<string> }> {
  const req = request(`http://${http.address}`, { agent: false }).end();
  const [res] = await once(req, 'response');
  const read = async (): Promise<string> => {
    let text = '';
    for await (const chunk of res.setEncoding('utf8')) text += chunk;
    return text;
  };
  return { headers: res.headers, text: read() };
}

describe('startHttpServer', () => {
  it('lets a running request finish while it stops', async () => {
    let finish: (res: ServerResponse) => void = () => undefined;
    const running = new Promise<ServerResponse>((resolve) => {
      finish = resolve;
    });
    const http = await startHttpServer(
      (_req, res) => {
        res.writeHead(200).flushHeaders();
        finish(res);
      },
      at,
      new Set(),
    );
    const { text } = await get(http);
    const stopping = http.stop(10_000);
    await expect(get(http)).rejects.toThrow(/ECONNREFUSED/);
    (await running).end('finished');
    expect(await text).toBe('finished');
    await stopping;
  });

  it('announces that idle connections are kept for less than the grace of a stop', async () => {
    const http = await startHttpServer((_req, res) => void res.end(), at, new Set());
    const agent = new Agent({ keepAlive: true });
    const [res] = await once(request(`http://${http.address}`, { agent }).end(), 'response');
    res.resume();
    const seconds = Number(/^timeout=(\d+)$/.exec(res.headers['keep-alive'])?.[1]);
    const { http: defaults } = configFromEnv({ DATABASE_URL: 'postgresql://127.0.0.1/x', DEV_MODE: '1' });
    expect(seconds * 1_000).toBeLessThan(defaults.idleGraceMs);
    agent.destroy();
    await http.stop(0);
  });

  it('answers on idle connections for a while as it stops, and closes each with its answer', async () => {
    const http = await startHttpServer((_req, res) => void res.end('answered'), at, new Set());
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = async () => {
      const [res] = await once(request(`http://${http.address}`, { agent }).end(), 'response');
      res.resume();
      await once(res, 'end');
      return res.headers.connection;
    };
    expect(await ask()).toBe('keep-alive');
    const stopping = http.stop(10_000, 5_000);
    expect(await ask()).toBe('close');
    await stopping;
    agent.destroy();
  });

  it('closes idle connections when their grace is over', async () => {
    const http = await startHttpServer((_req, res) => void res.end(), at, new Set());
    const agent = new Agent({ keepAlive: true });
    const [res] = await once(request(`http://${http.address}`, { agent }).end(), 'response');
    res.resume();
    await http.stop(10_000, 50);
    agent.destroy();
  });

  it('ends a stream with its last event when the drain time is over', async () => {
    const open: OpenStreams = new Set();
    const http = await startHttpServer(
      (_req, res) => {
        res.writeHead(200, [...streamHeaders('sse')]);
        const stream = new AnswerStream(res, open, { format: 'sse', errorEvent: () => '{"type":"error"}' });
        void stream.send('{"type":"start"}');
      },
      at,
      open,
    );
    const { text } = await get(http);
    await http.stop(50);
    expect(await text).toBe('data: {"type":"start"}\n\ndata: {"type":"error"}\n\n');
  });

  it('cuts a stream of bytes when the drain time is over, so that it does not look complete', async () => {
    const open: OpenStreams = new Set();
    const http = await startHttpServer(
      (_req, res) => {
        res.writeHead(200, { 'Content-Type': 'audio/mpeg' });
        void new AnswerStream(res, open, { format: undefined }).sendRaw(Buffer.from('half'));
      },
      at,
      open,
    );
    const { text } = await get(http);
    const cut = expect(text).rejects.toThrow('aborted');
    await http.stop(10);
    await cut;
  });

  it('closes connections of requests that do not end', async () => {
    const http = await startHttpServer((_req, res) => void res.writeHead(200).flushHeaders(), at, new Set());
    const { text } = await get(http);
    const cut = expect(text).rejects.toThrow();
    await http.stop(10);
    await cut;
  });

  it('does not wait for a connection that never carried a request', async () => {
    const http = await startHttpServer((_req, res) => res.end(), at, new Set());
    const [host, port] = http.address.split(':');
    const unused = connect(Number(port), host).resume();
    await once(unused, 'connect');
    const closed = once(unused, 'close');
    // Longer than the limit of a test.
    await Promise.all([http.stop(60_000), closed]);
  });

  it('answers bytes that are not HTTP in the native envelope', async () => {
    const http = await startHttpServer(() => undefined, at, new Set());
    const [host, port] = http.address.split(':');
    const socket = connect(Number(port), host);
    socket.setEncoding('utf8').end('NONSENSE\r\n\r\n');
    let text = '';
    for await (const chunk of socket) text += chunk;
    expect(text).toMatch(/^HTTP\/1.1 400 /);
    expect(JSON.parse(text.split('\r\n\r\n')[1]!)).toMatchObject({ error: 'api_error', code: 'INVALID_INPUT' });
    await http.stop(0);
  });
});
