import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { ByteBudget } from '@tollgate/runtime';
import { BODY_BYTES_MAX, type BodyClass, BodyShare, parseJson, parseJsonObject, readBody } from './read-body.js';

const KIB = 1024;
const MIB = 1024 * KIB;

/** One request and its part of the budget. */
class Sent {
  readonly req: IncomingMessage;
  share: BodyShare | undefined;

  constructor(body: (string | Buffer)[] | Readable, headers: Record<string, string> = {}) {
    const stream = body instanceof Readable ? body : Readable.from(body.map((chunk) => Buffer.from(chunk)));
    this.req = Object.assign(stream, { headers }) as unknown as IncomingMessage;
  }

  read(bodies = new ByteBudget(256 * MIB), accountId?: string, bodyClass: BodyClass = 'open') {
    const principal = accountId === undefined ? undefined : create(PrincipalSchema, { accountId });
    this.share = new BodyShare(bodies, principal);
    return readBody(this.req, bodyClass, this.share);
  }
}

const read = (chunks: (string | Buffer)[], headers?: Record<string, string>) => new Sent(chunks, headers).read();

describe('readBody', () => {
  it('joins the chunks of a body', async () => {
    expect((await read(['{"a"', ':1}'])).toString()).toBe('{"a":1}');
  });

  it.each(['open', 'standard', 'documents', 'generating'] as const)(
    'accepts exactly the limit of %s routes and refuses one byte more',
    async (bodyClass) => {
      const whole = Buffer.alloc(BODY_BYTES_MAX[bodyClass]);
      expect(await new Sent([whole]).read(undefined, undefined, bodyClass)).toHaveLength(whole.length);
      await expect(new Sent([whole, 'x']).read(undefined, undefined, bodyClass)).rejects.toMatchObject({
        code: 'PAYLOAD_TOO_LARGE',
        message: expect.stringContaining(`${whole.length} bytes`),
      });
    },
  );

  it('drains a body that is too large before refusing it, and frees its share of the budget', async () => {
    const sent = new Sent(Array(20).fill(Buffer.alloc(MIB)));
    const bodies = new ByteBudget(256 * MIB);
    await expect(sent.read(bodies)).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    expect(sent.req.readableEnded).toBe(true);
    expect(bodies.bytes).toBe(0);
  });

  it('refuses a large declared length without reading, and an endless body without reading all of it', async () => {
    await expect(read([], { 'content-length': String(33 * MIB) })).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    const endless = new Sent(
      new Readable({
        read() {
          setImmediate(() => this.push(Buffer.alloc(MIB)));
        },
      }),
    );
    await expect(endless.read()).rejects.toMatchObject({ code: 'PAYLOAD_TOO_LARGE' });
    endless.req.destroy();
  });

  it('refuses a compressed body, a body that ends early, and a connection that has closed', async () => {
    await expect(read(['x'], { 'content-encoding': 'gzip' })).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    const cut = new Sent(['abc']);
    const reading = cut.read();
    cut.req.destroy();
    await expect(reading).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(cut.read()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  });
});

describe('the budget of the process', () => {
  it('counts the bytes of a body until they are given back', async () => {
    const bodies = new ByteBudget(256 * MIB);
    const sent = new Sent(['12345', '678']);
    await sent.read(bodies, 'account');
    expect(bodies.bytes).toBe(8);
    sent.share?.giveBack();
    expect(bodies.bytes).toBe(0);
  });

  it('refuses a tenant more than half with 503 and leaves room for the others', async () => {
    const bodies = new ByteBudget(20);
    await new Sent(['12345', '67890']).read(bodies, 'large');
    const refused = new Sent(['123', '456'], {});
    await expect(refused.read(bodies, 'large')).rejects.toMatchObject({
      code: 'SERVICE_UNAVAILABLE',
      retryable: true,
      retryAfterSeconds: 1,
    });
    expect(refused.req.readableEnded).toBe(true);
    expect(await new Sent(['1234567890']).read(bodies, 'small')).toHaveLength(10);
    await expect(new Sent(['1']).read(bodies, 'third')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  });

  it('counts all requests without a credential as one tenant', async () => {
    const bodies = new ByteBudget(20);
    await new Sent(['1234567890']).read(bodies);
    await expect(new Sent(['1']).read(bodies)).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(await new Sent(['1']).read(bodies, 'account')).toHaveLength(1);
  });

  it('rejects when the client leaves in the middle of its body', async () => {
    const bodies = new ByteBudget(256 * MIB);
    const sent = new Sent(new Readable({ read() {} }));
    sent.req.push('half of it');
    const reading = sent.read(bodies);
    await new Promise((resolve) => setImmediate(resolve));
    sent.req.destroy();
    await expect(reading).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    sent.share?.giveBack();
    expect(bodies.bytes).toBe(0);
  });
});

describe('parseJson', () => {
  it.each(['', '{', '{"a":}', 'undefined', '{"a":1}x', '\u0000'])('refuses %j', (text) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(expect.objectContaining({ code: 'INVALID_INPUT' }));
  });

  it('refuses broken UTF-8', () => {
    expect(() => parseJson(Buffer.from([0x22, 0xff, 0x22]))).toThrow(
      expect.objectContaining({ code: 'INVALID_INPUT' }),
    );
  });

  it('refuses more than 200 levels', () => {
    expect(parseJson(Buffer.from('['.repeat(200) + ']'.repeat(200)))).toBeInstanceOf(Array);
    expect(() => parseJson(Buffer.from('['.repeat(201) + ']'.repeat(201)))).toThrow(/200 levels/);
  });

  it.each(['{"a":1e400}', '[[-1e999]]', `{"a":[{"b":1${'0'.repeat(400)}}]}`])('refuses the number in %.30s', (text) => {
    expect(() => parseJson(Buffer.from(text))).toThrow(/a number that is too large/);
  });

  it('accepts large numbers that a double can hold, and numbers in text', () => {
    expect(parseJson(Buffer.from('[1e308,1e-400,"1e400"]'))).toEqual([1e308, 0, '1e400']);
  });

  it('refuses more than 200,000 members and elements', () => {
    const list = (length: number) => Buffer.from(`[${Array(length).fill('{}').join(',')}]`);
    expect(parseJson(list(200_000))).toHaveLength(200_000);
    expect(() => parseJson(list(200_001))).toThrow(/more than 200000 members and elements/);
  });
});

describe('parseJson of many members', () => {
  it('refuses more than 40,000 members of objects', () => {
    const list = (length: number, more = '') =>
      Buffer.from(`[${more}${Array(length).fill('{"a":1,"b":2}').join(',')}]`);
    expect(parseJson(list(20_000))).toHaveLength(20_000);
    expect(() => parseJson(list(20_000, '{"c":3},'))).toThrow(/more than 40000 members of objects/);
  });
});

describe('parseJsonObject', () => {
  it.each(['[]', 'null', '1', '"text"', 'true'])('refuses %s', (text) => {
    expect(() => parseJsonObject(Buffer.from(text))).toThrow(/must be a JSON object/);
  });
});
