import { describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import type { ModelAnswer } from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import { NOTHING_SERVED } from '../../domain/usage.js';
import type { StreamEvents } from '../dialect.js';
import { GenerateStreamWriter } from './generate-answer.js';

const info: TurnInfo = { requestId: 'r1', model: 'm', provider: 'openai', startedAt: 0 };
const head = { modelVersion: 'm', responseId: 'r1' };
const answer: ModelAnswer = { responseId: '', stopReason: 'tool_use', text: '', toolCalls: [], usage: undefined };

function read(events: StreamEvents): unknown[] {
  return [events ?? []].flat().map(({ data }) => JSON.parse(data));
}

const piece = (...parts: object[]) => ({ candidates: [{ content: { parts, role: 'model' }, index: 0 }], ...head });
const call = (id: string, args: object) => ({ functionCall: { id, name: 'f', args } });

describe('a stream of generateContent', () => {
  it('sends each text, and each call whole once another part follows or the answer ends', () => {
    const writer = new GenerateStreamWriter(info);
    expect(read(writer.start())).toEqual([piece({ text: '' })]);
    expect(read(writer.text('a'))).toEqual([piece({ text: 'a' })]);
    expect(read(writer.toolCall(0, 'c0', 'f'))).toEqual([]);
    for (const delta of ['{"x"', ':1}']) expect(read(writer.toolArguments(0, delta))).toEqual([]);
    expect(read(writer.toolCall(1, 'c1', 'f'))).toEqual([piece(call('c0', { x: 1 }))]);
    const usage = { ...NOTHING_SERVED, inputTokens: 5, outputTokens: 7, reasoningTokens: 3, cacheReadInputTokens: 2 };
    const citations = [{ title: 'A', url: 'https://example.com' }];
    expect(read(writer.end({ ...answer, citations }, usage, []))).toEqual([
      {
        candidates: [
          {
            content: { parts: [call('c1', {})], role: 'model' },
            finishReason: 'STOP',
            index: 0,
            groundingMetadata: { groundingChunks: [{ web: { uri: 'https://example.com', title: 'A' } }] },
          },
        ],
        usageMetadata: {
          promptTokenCount: 5,
          candidatesTokenCount: 4,
          thoughtsTokenCount: 3,
          cachedContentTokenCount: 2,
          totalTokenCount: 12,
        },
        ...head,
      },
    ]);
  });

  it('keeps the order of calls that a provider writes at once', () => {
    const writer = new GenerateStreamWriter(info);
    writer.toolCall(0, 'c0', 'f');
    writer.toolCall(1, 'c1', 'f');
    writer.toolArguments(1, '{}');
    expect(read(writer.text('t'))).toEqual([piece({ text: 't' })]);
    writer.toolArguments(0, '{"x":1}');
    expect(read(writer.text('u'))).toEqual([piece(call('c0', { x: 1 }), call('c1', {})), piece({ text: 'u' })]);
  });

  it.each([
    ['stop', 'STOP'],
    ['stop_sequence', 'STOP'],
    ['max_tokens', 'MAX_TOKENS'],
    ['content_filter', 'SAFETY'],
    ['refusal', 'SAFETY'],
    ['pause_turn', 'OTHER'],
  ])('ends an answer that stopped by %s with the reason %s, and never without a part', (stopReason, finishReason) => {
    const events = new GenerateStreamWriter(info).end({ ...answer, stopReason }, NOTHING_SERVED, []);
    const content = { parts: [{ text: '' }], role: 'model' };
    expect(read(events)).toMatchObject([{ candidates: [{ finishReason, content }] }]);
  });

  it('ends with the last events of the provider, if they were forwarded', () => {
    const last = { data: '{"candidates":[]}' };
    expect(new GenerateStreamWriter(info).end(answer, NOTHING_SERVED, [last])).toEqual([last]);
  });

  it('reports an error in the form of the vendor', () => {
    const { event, data } = new GenerateStreamWriter(info).error(new AppError('PROVIDER_TIMEOUT', 'slow'));
    expect(event).toBe('error');
    expect(JSON.parse(data).error).toMatchObject({ code: 503, status: 'UNAVAILABLE', message: 'slow' });
  });
});
