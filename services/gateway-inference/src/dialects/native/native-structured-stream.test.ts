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

/** Everything a stream says of these pieces, parsed. */
// biome-ignore lint/suspicious/noExplicitAny: tests look inside
function tell(pieces: string[], ending = answer()): { updates: any[]; completion: any; fault: string | undefined } {
  const stream = new NativeStructuredStream({ ...info });
  const events: StreamEvent[] = [];
  for (const piece of pieces) {
    const told = stream.text(piece);
    if (told) events.push(told);
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

/** Cut anywhere, also inside characters, escapes and numbers. */
function cut(text: string, at: number[]): string[] {
  const places = [...new Set(at.map((place) => place % (text.length + 1)))].sort((a, b) => a - b);
  return [...places, text.length].map((place, i) => text.slice(i === 0 ? 0 : places[i - 1], place));
}

const names = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('a/b', '~', '', '0', 'é', '😀'));
const values = fc.jsonValue({ stringUnit: 'binary' });
/** As JSON has them: without negative zero. */
const documents = fc
  .dictionary(
    names.filter((name) => name !== '__proto__'),
    values,
    { maxKeys: 8 },
  )
  .map((document) => JSON.parse(JSON.stringify(document)) as Record<string, unknown>);

describe('structured-patch', () => {
  it('begins by saying its mode', () => {
    expect(JSON.parse(new NativeStructuredStream({ ...info }).start().data)).toEqual({
      type: 'start',
      stream_mode: 'structured-patch',
      stream_version: 'v2',
      request_id: 'q',
      provider: 'sandbox',
      model: 'm',
    });
  });

  it('tells a field once its value is complete, and no parts of it', () => {
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

  it('patches applied by an independent library build every document, wherever its text was cut', () => {
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
            // What has been told is whole: it is the final value already.
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

  it.each([['[1, {"a": 2}]'], ['"text"'], ['12'], ['null'], ['true']])(
    'a document that is no object comes whole, at the end: %s',
    (text) => {
      const { updates, completion } = tell(cut(text, [1, 2]));
      expect(updates).toHaveLength(1);
      expect(apply({}, updates[0].patch)).toEqual(JSON.parse(text));
      expect([completion.payload, completion.complete_fields]).toEqual([JSON.parse(text), []]);
    },
  );

  it('an empty object needs no patch', () => {
    expect(tell(['{', '}']).updates).toEqual([]);
  });

  it.each([
    ['nothing', []],
    ['half a document', ['{"a": 1, "b": "x']],
    ['no JSON', ['I cannot do that.']],
    ['more than a document', ['{"a": 1} {"b": 2}']],
    ['a document in prose', ['```json\n{"a": 1}\n```']],
  ])('%s ends in INVALID_OUTPUT', (_what, pieces) => {
    expect(tell(pieces).fault).toBe('INVALID_OUTPUT');
  });

  it('an answer that calls tools instead is no fault, and tells them at the end only', () => {
    const calls = [{ id: 'c', name: 'lookup', arguments: '{}' }];
    const { updates, completion } = tell([], answer({ toolCalls: calls, stopReason: 'tool_use' }));
    expect(updates).toEqual([]);
    expect(completion).toMatchObject({ stop_reason: 'tool_use', tool_calls: [{ id: 'c' }] });
    expect(completion).not.toHaveProperty('payload');
  });

  it('a document that is begun anew after tools replaces what was told before', () => {
    const stream = new NativeStructuredStream({ ...info });
    const patches = [stream.text('{"a": 1, "b')];
    stream.nextCall();
    patches.push(stream.text('{"c": 3}'));
    const built = patches.reduce((document, told) => apply(document, JSON.parse(told!.data).patch), {});
    expect(built).toEqual({ c: 3 });
  });

  it.each([
    ['an empty one', '{}', answer()],
    ['a list', '[1]', answer()],
    ['none, but a call of a tool', '', answer({ toolCalls: [{ id: 'c', name: 'f', arguments: '{}' }] })],
  ])('so does %s', (_what, text, ending) => {
    const stream = new NativeStructuredStream({ ...info });
    const told = [stream.text('{"a": 1, "b')];
    stream.nextCall();
    told.push(stream.text(text), ...stream.end(ending, usage));
    const events = told.flatMap((event) => (event ? [JSON.parse(event.data)] : []));
    const patches = events.flatMap(({ patch }) => (patch ? [patch] : []));
    expect(patches.reduce(apply, {})).toEqual(text === '' ? {} : JSON.parse(text));
  });
});
