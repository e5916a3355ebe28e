import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { startCall } from '@tollgate/rpc';
import { chatDialect } from '../../dialects/openai-chat/chat-dialect.js';
import type { OptionalParameter, RequestedParameter } from '../../domain/optional-parameters.js';
import type { Provider } from '../../providers/contract/provider.js';
import { Conversation } from './conversation.js';
import { type TurnPlan, type TurnRoute, toModelCall } from './turn-plan.js';

const MAX_TOKENS = 100;

interface Options {
  drops?: boolean;
  forwards?: boolean;
  parameters?: OptionalParameter[];
  lackedParameters?: OptionalParameter[];
  /** Instead of those that the body has. */
  requested?: RequestedParameter[];
}

function plan(more: object, { drops = false, forwards = false, parameters = [], requested, ...lists }: Options = {}) {
  const body = { model: 'ours', messages: [{ role: 'user', content: 'hi' }], ...more };
  const principal = create(PrincipalSchema, { kind: PrincipalKind.SECRET_KEY, dropsUnsupportedParameters: drops });
  const provider = { id: 'openai', forwards: forwards ? ['openai-chat'] : [], parameters: () => parameters, ...lists };
  const made = {
    call: startCall({ principal }),
    holdId: 'h',
    dialect: chatDialect,
    body,
    model: {},
    info: { model: 'ours' },
    conversation: new Conversation(chatDialect as TurnPlan['dialect'], body, MAX_TOKENS, 10),
    parameters: requested ?? chatDialect.parameters!(body as never),
    answers: chatDialect.answers!(body as never),
    betas: [],
  } as unknown as TurnPlan;
  const sent = provider as unknown as Provider;
  const route = { provider: sent, connection: 'openai', upstreamModel: 'theirs' } satisfies TurnRoute;
  return { info: made.info, call: () => toModelCall(made, route, true) };
}

describe('parameters that a provider lacks', () => {
  it('refuses them by name', () => {
    const { call } = plan({ top_k: 5, presence_penalty: 1 }, { parameters: ['presence_penalty'] });
    const fields = [expect.objectContaining({ field: 'top_k' })];
    expect(call).toThrow(expect.objectContaining({ code: 'MODEL_CAPABILITY_UNSUPPORTED', fields }));
  });

  it('drops and names them if the project wants it', () => {
    const { info, call } = plan({ top_k: 5, logprobs: true }, { drops: true, parameters: ['top_k'] });
    expect(call().request().sampling).toEqual({ topK: 5 });
    expect(info.droppedParameters).toEqual(['logprobs']);
  });

  it('names a hint that it drops, and does not refuse it', () => {
    const { info, call } = plan({ seed: 1 });
    call();
    expect(info.droppedParameters).toEqual(['seed']);
  });

  it('forwards what the vendor has, and leaves the rest out of the body', () => {
    const options = { drops: true, forwards: true, lackedParameters: ['top_k'] as OptionalParameter[] };
    const { info, call } = plan({ top_k: 5, logprobs: true, n: 2 }, options);
    const { body } = call().forward!;
    expect(body).toMatchObject({ logprobs: true, n: 2 });
    expect(body).not.toHaveProperty('top_k');
    expect(info.droppedParameters).toEqual(['top_k']);
  });

  it('leaves a field inside another out of the forwarded body, and keeps the request as it is', () => {
    const generationConfig = { topK: 5, topP: 1 };
    const requested = ['generationConfig.topK', 'absent.topK'].map(
      (field) => ({ parameter: 'top_k', field, value: 5 }) as RequestedParameter,
    );
    const lackedParameters: OptionalParameter[] = ['top_k'];
    const { call } = plan({ generationConfig }, { drops: true, forwards: true, lackedParameters, requested });
    const { body } = call().forward!;
    expect(body).toMatchObject({ generationConfig: { topP: 1 } });
    expect(body).not.toHaveProperty('generationConfig.topK');
    expect(body).not.toHaveProperty('absent');
    expect(generationConfig).toEqual({ topK: 5, topP: 1 });
  });

  it('names nothing if nothing is dropped', () => {
    const { info, call } = plan({ top_k: 5 }, { parameters: ['top_k'] });
    call();
    expect(info).not.toHaveProperty('droppedParameters');
  });
});

describe('several answers', () => {
  it.each([
    [1, 100],
    [3, 33],
    [128, 1],
  ])('bounds each of %i answers by its part of the hold', (n, tokens) => {
    expect(plan({ n }, { forwards: true }).call().maxOutputTokens).toBe(tokens);
  });

  it('keeps the part of one answer for a provider that makes only one', () => {
    expect(plan({ n: 2 }, { drops: true }).call().maxOutputTokens).toBe(50);
  });
});
