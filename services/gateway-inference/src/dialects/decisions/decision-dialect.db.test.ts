import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type DecisionsBody, decisionsBody } from '@tollgate/api/model-requests';
import { Dialect } from '@tollgate/contracts/inference/v1/inference_pb.js';
import type { ModelAnswer, TokenUsage } from '../../domain/model-answer.js';
import { InferenceSystem } from '../../testing/inference-system.js';
import { decisionAnswer, decisionDialect } from './decision-dialect.js';

let system: InferenceSystem;

beforeAll(async () => {
  system = await InferenceSystem.start();
});

afterAll(() => system.stop());

const options = [
  { id: 'refund', description: 'Pay the customer back' },
  { id: 'escalate', description: 'Ask a person' },
];
const asked: DecisionsBody = decisionsBody.parse({ input: 'the parcel never came', options });
const usage: TokenUsage = {
  inputTokens: 1,
  outputTokens: 1,
  cacheReadInputTokens: 0,
  cacheWriteInputTokens: 0,
  reasoningTokens: 0,
};

function answer(text: string, stopReason = 'stop'): ModelAnswer {
  return { responseId: '', stopReason, text, toolCalls: [], usage };
}

describe('decisions', () => {
  it('chooses one of the options by structured output, and charges it', async () => {
    const requestId = 'a0000000-0000-4000-8000-000000000005';
    const decided = await system.answer(asked, { dialect: Dialect.DECISIONS, requestId });
    expect(decided).toEqual({
      decision: { id: 'refund', confidence: expect.any(Number), reason: expect.any(String) },
      usage: { input_tokens: expect.any(Number), output_tokens: expect.any(Number), total_tokens: expect.any(Number) },
    });
    expect(system.ledger.findSettlement(requestId).usage).toMatchObject({
      inputTokens: BigInt(decided.usage.input_tokens),
      outputTokens: BigInt(decided.usage.output_tokens),
    });
  });

  it('sends the model the options, the criteria and the conversation', () => {
    const input = [{ role: 'user' as const, content: 'q' }];
    const body = decisionsBody.parse({ input, options, instructions: 'be kind' });
    const { messages, outputFormat } = decisionDialect.toModelRequest(body);
    const [system, user] = messages.map(({ content }) =>
      content.map((part) => part.type === 'text' && part.text).join(),
    );
    expect(system).toMatch(/be kind[\s\S]*"refund": Pay the customer back\n- "escalate": Ask a person/);
    expect(user).toBe('q');
    expect(outputFormat?.json_schema?.schema).toMatchObject({ properties: { id: { enum: ['refund', 'escalate'] } } });
    expect(decisionDialect.input(body).messages).toEqual([system, user]);
    expect(decisionDialect.capabilities(body, false)).toEqual(['structured_output']);
  });

  it.each([
    ['{"id":"refund","confidence":1.4,"reason":"r"}', { id: 'refund', confidence: 1, reason: 'r' }],
    ['{"id":"refund","confidence":"?"}', { id: 'refund', confidence: 0, reason: '' }],
  ])('limits the confidence to its range: %s', (text, decision) => {
    expect(JSON.parse(decisionAnswer(answer(text), usage, asked)).decision).toEqual(decision);
  });

  it.each(['{"id":"other","confidence":1,"reason":"r"}', '{"confidence":1}', '{"id":', '[]', 'null'])(
    'rejects an answer that is not a choice: %s',
    (text) => {
      expect(() => decisionAnswer(answer(text), usage, asked)).toThrow(
        expect.objectContaining({ code: 'INVALID_OUTPUT' }),
      );
    },
  );

  it('fails an answer that exceeds its bound, and charges what was served', async () => {
    const requestId = 'a0000000-0000-4000-8000-000000000006';
    const cut = system.answer(asked, { dialect: Dialect.DECISIONS, requestId, maxOutputTokens: 2 });
    await expect(cut).rejects.toMatchObject({
      code: 'INVALID_OUTPUT',
      message: expect.stringContaining('max_output_tokens'),
    });
    expect(system.ledger.findSettlement(requestId).usage?.outputTokens).toBe(2n);
  });
});
