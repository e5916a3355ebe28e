import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ask, InferenceSystem } from '../../testing/inference-system.js';

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    tags: { type: 'array', items: { type: 'string' } },
    size: { type: 'integer' },
  },
};
const format = { output_format: { type: 'json_schema', json_schema: { name: 'document', schema } } };
let system: InferenceSystem;

beforeAll(async () => {
  system = await InferenceSystem.start();
});
afterAll(() => system.stop());

describe('a streamed turn that asks for JSON', () => {
  it('emits the document field by field and settles before its completion', async () => {
    const requestId = randomUUID();
    const events = (await system.events(ask('hello', format), { requestId })).map((text) => JSON.parse(text));
    expect(events.map(({ type }) => type)).toEqual(['start', 'update', 'update', 'update', 'completion']);
    expect(events[0].stream_mode).toBe('structured-patch');
    const { payload, complete_fields: fields, usage } = events.at(-1);
    expect(Object.keys(payload).sort()).toEqual(['size', 'tags', 'title']);
    expect(fields).toEqual(Object.keys(payload));
    expect(system.ledger.findSettlement(requestId)).toMatchObject({
      usage: { outputTokens: BigInt(usage.output_tokens) },
      facts: { success: true },
    });
  });

  it('ends in INVALID_OUTPUT when it is cut, and charges the output', async () => {
    const requestId = randomUUID();
    const events = (await system.events(ask('hello', format), { requestId, maxOutputTokens: 3 })).map((text) =>
      JSON.parse(text),
    );
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      code: 'INVALID_OUTPUT',
      message: expect.stringContaining('max_output_tokens'),
      retryable: true,
      request_id: requestId,
    });
    expect(system.ledger.findSettlement(requestId)).toMatchObject({
      usage: { outputTokens: 3n },
      facts: { success: false, errorCode: 'INVALID_OUTPUT' },
    });
  });
});
