import { createServer, type RequestListener, request, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import { AnswerCopy } from './answer-copy.js';
import { AnswerStream, type OpenStreams, type StreamOptions, streamHeaders } from './stream.js';

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

const ndjson: StreamOptions = { format: 'ndjson' };

/** Starts a stream on a response. */
function start(res: ServerResponse, options: StreamOptions = ndjson, copy?: AnswerCopy): AnswerStream {
  res.writeHead(200, [...streamHeaders(options.format ?? 'ndjson')]);
  return new AnswerStream(res, open, options, copy);
}

/** Serves one stream and reads it to the end. Rejects when the connection breaks, unless `broken` takes what was read. */
async function serve(
  options: Partial<StreamOptions>,
  produce: (stream: AnswerStream, res: ServerResponse) => void | Promise<void>,
  copy?: AnswerCopy,
  broken?: (chunks: readonly string[]) => void,
): Promise<Received> {
  const port = await listen((_req, res) => {
    void produce(start(res, { ...ndjson, ...options }, copy), res);
  });
  return new Promise((resolve, reject) => {
    request({ port, host: '127.0.0.1' }, (res) => {
      const chunks: string[] = [];
      res.setEncoding('utf8');
      res.on('data', (chunk: string) => chunks.push(chunk));
      res.on('end', () => resolve({ headers: res.headers, chunks, text: chunks.join('') }));
      res.on('error', (error) => {
        broken?.(chunks);
        reject(error);
      });
    })
      .on('error', reject)
      .end();
  });
}

/** Reads a stream that fails after two events and is broken by the server. */
async function readBroken(options: Partial<StreamOptions>): Promise<string> {
  let text = '';
  const served = serve(
    options,
    (stream) => {
      void stream.send('{"a":1}');
      void stream.send('{"b":2}');
      stream.fail(new AppError('INTERNAL_ERROR', 'x'));
      stream.end();
    },
    undefined,
    (chunks) => {
      text = chunks.join('');
    },
  );
  await expect(served).rejects.toThrow('aborted');
  return text;
}

describe('streamHeaders', () => {
  it('forbids caching and buffering', () => {
    const common = ['Cache-Control', 'no-store', 'X-Accel-Buffering', 'no'];
    expect(streamHeaders('sse')).toEqual(['Content-Type', 'text/event-stream; charset=utf-8', ...common]);
    const ndjsonType = 'application/x-ndjson; profile="responses-stream/v2"';
    expect(streamHeaders('ndjson')).toEqual(['Content-Type', ndjsonType, ...common]);
    expect(streamHeaders('ndjson', 'application/x-ndjson')).toContain('application/x-ndjson');
  });
});

describe('AnswerStream', () => {
  it('joins what it is sent until its turn into one write, and writes all of it at its end', async () => {
    const held: (() => void)[] = [];
    const port = await listen((_req, res) => {
      res.writeHead(200, [...streamHeaders('ndjson')]);
      const stream = new AnswerStream(res, open, ndjson, undefined, (write) => void held.push(write));
      void stream.send('1');
      void stream.send('2');
      expect(stream.bytes).toBe(0);
      held[0]!();
      expect(stream.bytes).toBe(4);
      void stream.send('3');
      setImmediate(() => {
        expect([held.length, stream.bytes]).toEqual([2, 4]);
        void stream.send('4');
        stream.end();
        held[1]!();
        expect(stream.bytes).toBe(8);
      });
    });
    const answer = await fetch(`http://127.0.0.1:${port}`);
    expect(await answer.text()).toBe('1\n2\n3\n4\n');
  });

  it('writes what waits for its turn before it is cut', async () => {
    let stream: AnswerStream | undefined;
    const port = await listen((_req, res) => {
      res.writeHead(200);
      stream = new AnswerStream(res, open, { format: undefined }, undefined, () => undefined);
      void stream.sendRaw('one');
      stream.shutDown();
    });
    await fetch(`http://127.0.0.1:${port}`)
      .then((answer) => answer.text())
      .catch(() => undefined);
    expect(stream?.bytes).toBe(3);
  });

  it('writes a large backlog before its turn, so that its producer meets backpressure', async () => {
    const port = await listen((_req, res) => {
      res.writeHead(200, [...streamHeaders('ndjson')]);
      const stream = new AnswerStream(res, open, ndjson, undefined, () => undefined);
      void stream.send('x'.repeat(70_000));
      expect(stream.bytes).toBe(70_001);
      stream.end();
    });
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toHaveLength(70_001);
  });

  it('writes the elements of one list, also an empty one', async () => {
    const list: StreamOptions = { format: 'json-array' };
    const { text } = await serve(list, (stream) => {
      void stream.send('{"a":1}');
      void stream.send(Buffer.from('{"b":2}'));
      stream.end();
    });
    expect(text).toBe('[{"a":1},\n{"b":2}]');
    expect((await serve(list, (stream) => stream.end())).text).toBe('[]');
  });

  it('completes the copy of a list whose client has left', async () => {
    const copy = new AnswerCopy();
    const served = serve(
      { format: 'json-array' },
      (stream, res) => {
        copy.begin(200, []);
        void stream.send('{"a":1}');
        res.destroy();
        void stream.send('{"b":2}');
        copy.complete();
        stream.end();
      },
      copy,
    );
    await expect(served).rejects.toThrow();
    expect(String(copy.answer()?.body)).toBe('[{"a":1},\n{"b":2}]');
  });

  it('closes a list behind its error', async () => {
    const options = { format: 'json-array', errorEvent: () => '{"error":1}' } as const;
    const { text } = await serve(options, (stream) => {
      void stream.send('{"a":1}');
      stream.fail(new AppError('INTERNAL_ERROR', 'x'));
    });
    expect(JSON.parse(text)).toEqual([{ a: 1 }, { error: 1 }]);
  });

  it('breaks the connection behind a bare error, which has no frame', async () => {
    const errors = { errorEvent: () => '{"error":2}', errorEventName: 'error', errorsAreBare: true };
    expect(await readBroken({ format: 'sse', ...errors })).toBe('data: {"a":1}\n\ndata: {"b":2}\n\n{"error":2}');
    expect(await readBroken({ format: 'json-array', ...errors })).toBe('[{"a":1},\n{"b":2},\n{"error":2}]');
  });

  it('writes one JSON event per line', async () => {
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
      void stream.send('{"a":1}', 'delta', '7');
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

  it('sends the keepalive event, a comment or a blank line after silence', async () => {
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

  it('sends the error event when the process stops', async () => {
    const errorEvent = ({ code }: AppError) => JSON.stringify({ type: 'error', code });
    const { text } = await serve({ errorEvent }, (stream) => {
      void stream.send('1');
      for (const running of open) running.shutDown();
      void stream.send('too late');
    });
    expect(text).toBe('1\n{"type":"error","code":"SERVICE_UNAVAILABLE"}\n');
    expect(open.size).toBe(0);
  });

  it('ends a broken stream with the named error event, and reports when the protocol has none', async () => {
    const errorEvent = ({ message }: AppError) => JSON.stringify(message);
    const { text } = await serve({ format: 'sse', errorEvent, errorEventName: 'error' }, (stream) => {
      expect(stream.fail(new AppError('INTERNAL_ERROR', 'broke'))).toBe(true);
    });
    expect(text).toBe('event: error\ndata: "broke"\n\n');
    await serve({}, (stream) => {
      expect(stream.fail(new AppError('INTERNAL_ERROR', 'broke'))).toBe(false);
      stream.end();
    });
  });

  it('keeps a copy of what it sends, without keepalives and the error event', async () => {
    const copy = new AnswerCopy();
    const produce = async (stream: AnswerStream) => {
      void stream.send('1', 'start');
      void stream.send(Buffer.from('2'));
      await new Promise((resolve) => setTimeout(resolve, 50));
      stream.fail(new AppError('INTERNAL_ERROR', 'broke'));
    };
    const { text } = await serve({ format: 'sse', keepaliveMs: 10, errorEvent: () => '"broke"' }, produce, copy);
    expect(text).toContain(': keepalive');
    expect(copy.answer()).toBeUndefined();
    copy.complete();
    expect(copy.answer()?.body.toString()).toBe('event: start\ndata: 1\n\ndata: 2\n\n');
  });

  it('leaves the open streams when the client disconnects, and stays wanted only if a copy is kept', async () => {
    let reportClosed: (isWanted: boolean[]) => void = () => undefined;
    const closed = new Promise<boolean[]>((resolve) => {
      reportClosed = resolve;
    });
    const port = await listen((_req, res) => {
      const stream = start(res);
      const kept = new AnswerStream(res, open, ndjson, new AnswerCopy());
      void stream.send('1');
      res.on('close', () => reportClosed([stream.isWanted, kept.isWanted]));
    });
    const req = request({ port, host: '127.0.0.1' }, (res) => {
      res.on('error', () => undefined);
      res.on('data', () => req.destroy());
    });
    req.end();
    expect(await closed).toEqual([false, true]);
    expect(open.size).toBe(0);
  });

  it('does not keep a stream open that starts after its client has left', async () => {
    const copy = new AnswerCopy();
    let client: ReturnType<typeof request> | undefined;
    const started = new Promise<AnswerStream>((resolve) => {
      void listen((_req, res) => {
        res.once('close', () => resolve(new AnswerStream(res, open, { format: undefined }, copy)));
        client?.destroy();
      }).then((port) => {
        client = request({ port, host: '127.0.0.1' }).on('error', () => undefined);
        client.end();
      });
    });
    const stream = await started;
    expect(open.size).toBe(0);
    expect(stream.isWanted).toBe(true);
  });
});
