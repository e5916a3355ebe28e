import { createServer, type RequestListener, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { EventStream, type OpenStreams, type StreamOptions, streamHeaders } from './stream-framing.js';

let servers: Server[] = [];
const open: OpenStreams = new Set();

afterEach(() => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  servers = [];
  open.clear();
});

interface Received {
  headers: Record<string, unknown>;
  chunks: string[];
  text: string;
}

async function listen(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Serves one stream and reads it to the end. */
async function serve(
  options: Partial<StreamOptions>,
  produce: (stream: EventStream, res: ServerResponse) => void | Promise<void>,
): Promise<Received> {
  const port = await listen((_req, res) => {
    void produce(new EventStream(res, open, { format: 'ndjson', ...options }), res);
  });
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1' }, (res) => {
      const chunks: string[] = [];
      res.setEncoding('utf8');
      res.on('data', (chunk: string) => chunks.push(chunk));
      res.on('end', () => resolve({ headers: res.headers, chunks, text: chunks.join('') }));
      res.on('error', reject);
    })
      .on('error', reject)
      .end();
  });
}

describe('streamHeaders', () => {
  it('forbid caching and buffering', () => {
    expect(streamHeaders({ format: 'sse', headers: { 'X-One': '1' } })).toEqual({
      'X-One': '1',
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Accel-Buffering': 'no',
    });
    expect(streamHeaders({ format: 'ndjson' })['Content-Type']).toBe(
      'application/x-ndjson; profile="responses-stream/v2"',
    );
  });
});

describe('EventStream', () => {
  it('writes one JSON per line', async () => {
    const { text, headers } = await serve({}, (stream) => {
      void stream.send('{"type":"start"}');
      void stream.send(Buffer.from('{"type":"ü"}'));
      stream.end();
    });
    expect(text).toBe('{"type":"start"}\n{"type":"ü"}\n');
    expect(headers['content-type']).toContain('application/x-ndjson');
  });

  it('writes SSE fields in order and ends events with a blank line', async () => {
    const { text } = await serve({ format: 'sse' }, (stream) => {
      void stream.send('{"a":1}', { event: 'delta', id: '7' });
      void stream.send('{"b":2}');
      void stream.sendRaw('data: [DONE]\n\n');
      stream.end();
    });
    expect(text).toBe('event: delta\nid: 7\ndata: {"a":1}\n\ndata: {"b":2}\n\ndata: [DONE]\n\n');
  });

  it('sends the first event at once and joins those of the same turn', async () => {
    const writes: unknown[] = [];
    await serve({}, (stream, res) => {
      const write = res.write.bind(res);
      res.write = ((chunk: unknown) => {
        writes.push(String(chunk));
        return write(chunk);
      }) as typeof res.write;
      void stream.send('1');
      expect(writes).toEqual(['1\n']);
      void stream.send('2');
      void stream.send('3');
      setImmediate(() => setImmediate(() => stream.end()));
    });
    expect(writes).toEqual(['1\n', '2\n3\n']);
  });

  it('asks the producer to wait while the socket is full', async () => {
    let waits = 0;
    const big = JSON.stringify('x'.repeat(1_000_000));
    const { text } = await serve({}, async (stream) => {
      for (let i = 0; i < 20; i++) {
        const full = stream.send(big);
        if (full) {
          waits++;
          await full;
        }
        await new Promise(setImmediate);
      }
      stream.end();
    });
    expect(text).toHaveLength(20 * (big.length + 1));
    expect(waits).toBeGreaterThan(0);
  });

  it('breaks silence with the keepalive event, a comment or a blank line', async () => {
    const silent = async (options: Partial<StreamOptions>, sign: string) => {
      const { text } = await serve({ keepaliveMs: 20, ...options }, (stream, res) => {
        const write = res.write.bind(res);
        res.write = ((chunk: unknown) => {
          if (String(chunk) === sign) setImmediate(() => stream.end());
          return write(chunk);
        }) as typeof res.write;
        void stream.send('1');
      });
      return text;
    };
    expect(await silent({}, '\n')).toContain('1\n\n');
    expect(await silent({ format: 'sse' }, ': keepalive\n\n')).toContain(': keepalive');
    expect(await silent({ keepaliveEvent: '{"type":"keepalive"}' }, '{"type":"keepalive"}\n')).toContain('keepalive');
  });

  it('says so when the process stops', async () => {
    const { text } = await serve({ shutdownEvent: '{"type":"error"}' }, (stream) => {
      void stream.send('1');
      for (const running of open) running.shutDown();
      void stream.send('too late');
    });
    expect(text).toBe('1\n{"type":"error"}\n');
    expect(open.size).toBe(0);
  });

  it('is closed when the client has gone', async () => {
    let tellClosed: (isOpen: boolean) => void = () => undefined;
    const closed = new Promise<boolean>((resolve) => {
      tellClosed = resolve;
    });
    const port = await listen((_req, res) => {
      const stream = new EventStream(res, open, { format: 'ndjson' });
      void stream.send('1');
      res.on('close', () => tellClosed(stream.isOpen));
    });
    const req = request({ port, host: '127.0.0.1' }, (res) => {
      res.on('error', () => undefined);
      res.on('data', () => req.destroy());
    });
    req.end();
    expect(await closed).toBe(false);
    expect(open.size).toBe(0);
  });
});
