import { afterEach, describe, expect, it } from '@jest/globals';
import {
  installTracer,
  isTracing,
  readTraceparent,
  type Span,
  startSpan,
  startTrace,
  stopTracing,
  unsampled,
  withinSpan,
} from './tracing.js';

const PARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}`;
let started: string[] = [];
let log: string[] = [];

const span: Span = {
  traceparent: `${PARENT}-01`,
  set: () => undefined,
  event: () => undefined,
  fail: (type) => void log.push(`failed: ${type}`),
  end: () => void log.push('ended'),
};

function install(): void {
  installTracer({
    start(name) {
      started.push(name);
      return span;
    },
    stop: async () => void log.push('stopped'),
  });
}

afterEach(() => {
  installTracer(undefined);
  started = [];
  log = [];
});

describe('without a tracer', () => {
  it('reads no context and starts no spans', () => {
    expect(isTracing()).toBe(false);
    expect(readTraceparent(`${PARENT}-01`)).toBeUndefined();
    expect(startTrace('request', 'server', `${PARENT}-01`, {})).toBeUndefined();
    expect(startSpan('call', 'client', `${PARENT}-01`, {})).toBeUndefined();
  });
});

describe('with a tracer', () => {
  it('starts spans below recorded ones only', () => {
    install();
    expect(startSpan('recorded', 'client', `${PARENT}-01`, {})).toBe(span);
    expect(startSpan('further flags', 'client', `${PARENT}-0b`, {})).toBe(span);
    expect(startSpan('left out', 'client', `${PARENT}-00`, {})).toBeUndefined();
    expect(startSpan('further flags, left out', 'client', `${PARENT}-0a`, {})).toBeUndefined();
    expect(startSpan('no parent', 'client', undefined, {})).toBeUndefined();
    expect(started).toEqual(['recorded', 'further flags']);
  });

  it.each([
    [`${PARENT}-01`, true],
    [`${PARENT}-01-more`, false],
    [`00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`, false],
    [`00-${'a'.repeat(32)}-${'0'.repeat(16)}-01`, false],
    [PARENT.toUpperCase(), false],
    ['', false],
    [undefined, false],
  ])('reads the header %s: %s', (header, isRead) => {
    install();
    expect(readTraceparent(header)).toBe(isRead ? header : undefined);
  });

  it('marks the context of an unsampled request as not recorded', () => {
    expect(unsampled(`${PARENT}-01`)).toBe(`${PARENT}-00`);
    expect(unsampled(undefined)).toBeUndefined();
  });

  it('ends a span with its work and names the code of a failure', async () => {
    expect(await withinSpan(span, () => 7)).toBe(7);
    const failure = Object.assign(new Error('text of a user'), { code: 'NOT_FOUND' });
    await expect(withinSpan(span, () => Promise.reject(failure))).rejects.toBe(failure);
    expect(log).toEqual(['ended', 'failed: NOT_FOUND', 'ended']);
  });

  it('sends the last spans when it stops', async () => {
    install();
    await stopTracing();
    expect(isTracing()).toBe(false);
    expect(log).toEqual(['stopped']);
  });
});
