import { describe, expect, it } from '@jest/globals';
import { listToolCalls } from '../tools/tool-calls.js';
import { readStreamEvent } from './answer-reader.js';

const facts = {
  model: 'm',
  provider: 'p',
  stop_reason: 'stop',
  usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
};
const read = (event: object) => readStreamEvent(JSON.stringify(event));

describe('readStreamEvent', () => {
  it('takes text from updates', () => {
    expect(read({ type: 'update', delta: 'ab', content: 'xab' })).toEqual({ kind: 'text', text: 'ab' });
  });

  it('converts a completion to the answer of a plain call', () => {
    const piece = read({ type: 'completion', response_id: 'r', content: 'all of it', ...facts });
    const answer = {
      id: 'r',
      output: [{ type: 'message', role: 'assistant', content: [{ type: 'text', text: 'all of it' }] }],
      ...facts,
    };
    if (piece.kind !== 'end') throw new Error('no end');
    expect(piece.received.answer).toEqual(answer);
    expect(JSON.parse(piece.received.json)).toEqual(answer);
  });

  it('keeps tool calls of a completion', () => {
    const calls = [{ id: 't', type: 'function', function: { name: 'f', arguments: '{}' } }];
    const piece = read({ type: 'completion', response_id: 'r', content: '', tool_calls: calls, ...facts });
    if (piece.kind !== 'end') throw new Error('no end');
    expect(piece.received.answer.output[0]?.content).toEqual([]);
    expect(listToolCalls(piece.received.answer)).toEqual([{ tool_call_id: 't', name: 'f', arguments: '{}' }]);
  });

  it.each([
    [{ type: 'error', code: 'PROVIDER_TIMEOUT', message: 'late', status: 504 }, 'PROVIDER_TIMEOUT'],
    [{ type: 'error', code: 'something_new', message: 'x', status: 503 }, 'SERVICE_UNAVAILABLE'],
    [{ type: 'error' }, 'INTERNAL_ERROR'],
  ])('reads the code of an error: %j', (event, code) => {
    expect(read(event)).toMatchObject({ kind: 'error', error: { code } });
  });

  it('reads from an error whether it is retryable', () => {
    const event = { type: 'error', code: 'SERVICE_UNAVAILABLE', message: 'x' };
    expect(read(event)).toMatchObject({ error: { retryable: true } });
    expect(read({ ...event, retryable: false })).toMatchObject({ error: { retryable: false } });
  });

  it.each(['start', 'keepalive', 'tool_use_start', 'tool_use_delta', 'tool_use_stop', 'of_tomorrow'])(
    'passes over %s',
    (type) => {
      expect(read({ type })).toEqual({ kind: 'other' });
    },
  );
});
