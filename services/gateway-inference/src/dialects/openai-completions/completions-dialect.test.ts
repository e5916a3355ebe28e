import { describe, expect, it } from '@jest/globals';
import { completionSchema, completionsBody } from '@tollgate/api/compatible';
import { AppError } from '@tollgate/errors';
import type { ModelAnswer } from '../../domain/model-answer.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import { NOTHING_SERVED } from '../../domain/usage.js';
import { completionsDialect } from './completions-dialect.js';

const info: TurnInfo = { requestId: 'r1', model: 'm', provider: 'anthropic', startedAt: 1_999 };
const usage = { ...NOTHING_SERVED, inputTokens: 3, outputTokens: 2 };

function body(more: object = {}) {
  return completionsBody.parse({ model: 'm', prompt: 'Once upon', ...more });
}

function answer(more: Partial<ModelAnswer> = {}): ModelAnswer {
  return { responseId: 'x', stopReason: 'stop', text: ' a time', toolCalls: [], usage, ...more };
}

function stream(texts: string[], end: ModelAnswer, more: object = {}): string[] {
  const writer = completionsDialect.openStream(info, body(more), () => 0);
  expect(writer.start()).toBeUndefined();
  const events = texts.flatMap((text) => writer.text(text) ?? []);
  return [...events, ...writer.end(end, usage, [])].map(({ data }) => data);
}

describe('a completion as a request to a model', () => {
  it.each(['Once upon', ['Once upon']])('sends the prompt %j as the only message', (prompt) => {
    const asked = body({ prompt, stop: '.', temperature: 0, seed: 7, frequency_penalty: 1 });
    expect(completionsDialect.toModelRequest(asked)).toMatchObject({
      messages: [{ role: 'user', content: [{ type: 'text', text: 'Once upon' }] }],
      stop: ['.'],
      temperature: 0,
      sampling: { seed: 7, frequencyPenalty: 1 },
    });
    expect(completionsDialect.input(asked).messages).toEqual(['Once upon']);
  });

  it('finds the parameters that not every provider has', () => {
    const asked = body({ logit_bias: { 5: 1 }, top_k: 5, presence_penalty: 0, seed: null });
    expect(completionsDialect.parameters!(asked).map(({ field }) => field)).toEqual(['logit_bias', 'top_k']);
  });

  it.each([
    { prompt: ['one', 'two'] },
    { prompt: [1, 2] },
    { prompt: '' },
    { n: 2 },
    { best_of: 3 },
    { echo: true },
    { logprobs: 1 },
    { suffix: 'x' },
  ])('refuses %j', (more) => {
    expect(completionsBody.safeParse({ model: 'm', prompt: 'x', ...more }).success).toBe(false);
  });
});

describe('the answer', () => {
  it.each([
    ['stop', 'stop'],
    ['max_tokens', 'length'],
    ['content_filter', 'content_filter'],
  ])('returns a completion; %s becomes %s', (stopReason, reason) => {
    const written = JSON.parse(completionsDialect.writeAnswer(info, answer({ stopReason }), usage, body()));
    expect(completionSchema.parse(written)).toMatchObject({
      id: 'cmpl-r1',
      created: 1,
      model: 'm',
      choices: [{ index: 0, text: ' a time', finish_reason: reason }],
      usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 },
    });
  });

  it('reports a refusal as filtered, with a text', () => {
    const refused = answer({ stopReason: 'refusal', text: '' });
    const { choices } = JSON.parse(completionsDialect.writeAnswer(info, refused, usage, body()));
    expect(choices[0]).toMatchObject({ text: expect.stringMatching(/./), finish_reason: 'content_filter' });
    const [event] = stream([], refused);
    expect(JSON.parse(event!).choices[0]).toMatchObject({ text: expect.stringMatching(/./) });
  });

  it('streams pieces of text, one finish reason, and usage if it is requested', () => {
    const events = stream([' a', ' time'], answer({ text: '' }), { stream_options: { include_usage: true } });
    expect(events.at(-1)).toBe('[DONE]');
    const chunks = events.slice(0, -1).map((data) => completionSchema.parse(JSON.parse(data)));
    expect(chunks.map(({ choices }) => choices.map((choice) => [choice.text, choice.finish_reason]))).toEqual([
      [[' a', null]],
      [[' time', null]],
      [['', 'stop']],
      [],
    ]);
    expect(chunks.at(-1)!.usage).toMatchObject({ total_tokens: 5 });
    expect(stream([' a'], answer())).toHaveLength(3);
  });

  it('ends a broken stream with an error', () => {
    const writer = completionsDialect.openStream(info, body(), () => 0);
    const event = writer.error(new AppError('PROVIDER_ERROR', 'the provider failed')) as { data: string };
    expect(JSON.parse(event.data)).toMatchObject({ error: { message: expect.any(String) } });
  });
});
