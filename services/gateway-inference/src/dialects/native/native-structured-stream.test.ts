import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import jsonPatch from 'fast-json-patch';
import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import type { StreamEvent } from '../dialect.js';
import { NativeStructuredStream } from './native-structured-stream.js';

const usage: TokenUsage = {
  inputTokens: 3,
  outputTokens: 5,
  cacheReadInputTokens: 0,
  cacheWriteInputTokens: 0,
  reasoningTokens: 0,
};
const answer = (more: Partial<ModelAnswer> = {}): ModelAnswer => {
  return { responseId: 'r-1', stopReason: 'stop', text: '', toolCalls: [], usage, ...more };
};
const info = { requestId: 'q', model: 'm', provider: 'sandbox', startedAt: 0 } as const;

/** Returns all events of a stream for these pieces, parsed. */
// biome-ignore lint/suspicious/noExplicitAny: tests look inside
function tell(pieces: string[], ending = answer()): { updates: any[]; completion: any; fault: string | undefined } {
  const stream = new NativeStructuredStream({ ...info });
  const events: StreamEvent[] = [];
  for (const piece of pieces) {
    const emitted = stream.text(piece);
    if (emitted) events.push(emitted);
  }
  const fault = stream.fault(ending);
  if (!fault) events.push(...stream.end(ending, usage));
  const parsed = events.map(({ data }) => JSON.parse(data));
  return {
    updates: parsed.slice(0, fault ? undefined : -1),
    completion: fault ? undefined : parsed.at(-1),
    fault: fault?.code,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: documents of any shape
function apply(document: any, patch: any[]): any {
  return jsonPatch.applyPatch(document, structuredClone(patch), true, true, false).newDocument;
}

/** Cuts text anywhere, also inside characters, escapes and numbers. */
function cut(text: string, at: number[]): string[] {
  const places = [...new Set(at.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [...places, text.length].map((place, i) => text.slice(i === 0 ? 0 : places[i - 1], place));
}

const names = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a/b', '~', '', '0', 'é', '😀'));
const values = fc.jsonValue({ stringUnit: 'binary' });
/** Values as in JSON: without negative zero. */
const documents = fc
  .dictionary(
    names.filter((name) => name !== '__proto__'),
    values,
    { maxKeys: 8 },
  )
  .map((document) => JSON.parse(JSON.stringify(document)) as Record<string, unknown>);

describe('structured-patch', () => {
  it('starts with its mode', () => {
    expect(JSON.parse(new NativeStructuredStream({ ...info }).start().data)).toEqual({
      type: 'start',
      stream_mode: 'structured-patch',
      stream_version: 'v2',
      request_id: 'q',
      provider: 'sandbox',
      model: 'm',
    });
  });

  it('emits a field once its value is complete, and no part of it before', () => {
    const { updates, completion } = tell(['{"a": {"b"', ': [1, 2]}, "n": 1', '2', ', "s": "x', 'y"}']);
    expect(updates).toEqual([
      { type: 'update', patch: [{ op: 'add', path: '/a', value: { b: [1, 2] } }], complete_fields: ['a'] },
      { type: 'update', patch: [{ op: 'add', path: '/n', value: 12 }], complete_fields: ['a', 'n'] },
      { type: 'update', patch: [{ op: 'add', path: '/s', value: 'xy' }], complete_fields: ['a', 'n', 's'] },
    ]);
    expect(completion).toMatchObject({
      type: 'completion',
      payload: { a: { b: [1, 2] }, n: 12, s: 'xy' },
      complete_fields: ['a', 'n', 's'],
      stop_reason: 'stop',
      usage: { input_tokens: 3, output_tokens: 5, total_tokens: 8 },
    });
  });

  it('builds every document by patches that an independent library applies, wherever its text is cut', () => {
    fc.assert(
      fc.property(
        documents,
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.constantFrom(0, 1, 2),
        (wanted, places, space) => {
          const { updates, completion, fault } = tell(cut(JSON.stringify(wanted, null, space), places));
          expect(fault).toBeUndefined();
          let built = {};
          const complete: string[] = [];
          for (const { patch, complete_fields } of updates) {
            built = apply(built, patch);
            for (const name of Object.keys(built)) if (!complete.includes(name)) complete.push(name);
            expect(new Set(complete_fields)).toEqual(new Set(complete));
            // Every emitted value is complete: it is the final value.
            for (const name of complete_fields) expect(built[name as never]).toEqual(wanted[name]);
          }
          expect(built).toEqual(wanted);
          expect(completion.payload).toEqual(wanted);
          expect(new Set(completion.complete_fields)).toEqual(new Set(Object.keys(wanted)));
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps byte order marks in names and values', () => {
    const wanted = { '\uFEFFa': '\uFEFFb', c: { '\uFEFF': '\uFEFF', 'é\uFEFF': 'é\uFEFF' } };
    const { updates, completion } = tell([JSON.stringify(wanted)]);
    expect(apply({}, updates[0].patch)).toEqual(wanted);
    expect(completion.payload).toEqual(wanted);
  });

  it.each([['[1, {"a": 2}]'], ['"text"'], ['12'], ['null'], ['true']])(
    'emits a document that is not an object whole, at the end: %s',
    (text) => {
      const { updates, completion } = tell(cut(text, [1, 2]));
      expect(updates).toHaveLength(1);
      expect(apply({}, updates[0].patch)).toEqual(JSON.parse(text));
      expect([completion.payload, completion.complete_fields]).toEqual([JSON.parse(text), []]);
    },
  );

  it('emits no patch for an empty object', () => {
    expect(tell(['{', '}']).updates).toEqual([]);
  });

  it.each([
    ['nothing', []],
    ['half a document', ['{"a": 1, "b": "x']],
    ['no JSON', ['I cannot do that.']],
    ['more than a document', ['{"a": 1} {"b": 2}']],
    ['a document in prose', ['```json\n{"a": 1}\n```']],
  ])('ends in INVALID_OUTPUT for %s', (_what, pieces) => {
    expect(tell(pieces).fault).toBe('INVALID_OUTPUT');
  });

  it('accepts an answer that calls tools instead, and reports the calls at the end only', () => {
    const calls = [{ id: 'c', name: 'lookup', arguments: '{}' }];
    const { updates, completion } = tell([], answer({ toolCalls: calls, stopReason: 'tool_use' }));
    expect(updates).toEqual([]);
    expect(completion).toMatchObject({ stop_reason: 'tool_use', tool_calls: [{ id: 'c' }] });
    expect(completion).not.toHaveProperty('payload');
  });

  it('replaces the fields of a document that is restarted after tools', () => {
    const stream = new NativeStructuredStream({ ...info });
    const patches = [stream.text('{"a": 1, "b')];
    stream.nextCall();
    patches.push(stream.text('{"c": 3}'));
    const built = patches.reduce((document, emitted) => apply(document, JSON.parse(emitted!.data).patch), {});
    expect(built).toEqual({ c: 3 });
  });

  it.each([
    ['an empty one', '{}', answer()],
    ['a list', '[1]', answer()],
    ['none, but a call of a tool', '', answer({ toolCalls: [{ id: 'c', name: 'f', arguments: '{}' }] })],
  ])('replaces them also for %s', (_what, text, ending) => {
    const stream = new NativeStructuredStream({ ...info });
    const emitted = [stream.text('{"a": 1, "b')];
    stream.nextCall();
    emitted.push(stream.text(text), ...stream.end(ending, usage));
    const events = emitted.flatMap((event) => (event ? [JSON.parse(event.data)] : []));
    const patches = events.flatMap(({ patch }) => (patch ? [patch] : []));
    expect(patches.reduce(apply, {})).toEqual(text === '' ? {} : JSON.parse(text));
  });
});
