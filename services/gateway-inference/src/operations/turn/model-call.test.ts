import { create } from '@bufbuild/protobuf';
import { describe, expect, it } from '@jest/globals';
import { PrincipalKind, PrincipalSchema } from '@tollgate/contracts/common/v1/principal_pb.js';
import { startCall } from '@tollgate/rpc';
import { messagesDialect } from '../../dialects/anthropic-messages/messages-dialect.js';
import type { Dialect } from '../../dialects/dialect.js';
import { chatDialect } from '../../dialects/openai-chat/chat-dialect.js';
import { responsesDialect } from '../../dialects/openai-responses/responses-dialect.js';
import type { OptionalParameter, RequestedParameter } from '../../domain/optional-parameters.js';
import type { TurnInfo } from '../../domain/turn-info.js';
import type { CalledModel, ForwardedRequest, Provider } from '../../providers/contract/provider.js';
import { openTestConnection } from '../../testing/test-connection.js';
import { fitParameters, fitTools, toModelCall } from './model-call.js';
import { Conversation, type TurnPlan, type TurnRoute } from './turn-plan.js';

const MAX_TOKENS = 100;

const relay = openTestConnection({ preset: 'openai', base_url: 'https://relay.example/v1' }).models;
const reasoning = { upstreamModel: 'gpt-6.1-terra', modelId: 'ours', reasons: true, isReasoningOff: false };
const user = [{ role: 'user', content: 'hi' }];

interface Options {
  drops?: boolean;
  provider?: Provider;
  called?: CalledModel;
  dialect?: Dialect<never>;
  forwards?: boolean;
}

function fit(
  body: object,
  { drops = false, provider = relay, called = reasoning, dialect = chatDialect as never, forwards }: Options = {},
) {
  const principal = create(PrincipalSchema, { kind: PrincipalKind.SECRET_KEY, dropsUnsupportedParameters: drops });
  const info = {} as TurnInfo;
  const parameters = dialect.parameters!(body as never);
  const forward = forwards ? ({ body } as ForwardedRequest) : undefined;
  const fitted = fitParameters({ call: startCall({ principal }), info, parameters }, provider, called, forward);
  return { dropped: info.droppedParameters, body: fitted?.body };
}

describe('members that no list of priced parameters has', () => {
  const dialects = [
    ['chat', chatDialect, { messages: user, top_k: 1, chat_template_kwargs: {}, metadata: {} }],
    ['Responses', responsesDialect, { input: 'hi', prompt_cache_key: 'k', client_metadata: {} }],
    ['Messages', messagesDialect, { messages: user, max_tokens: 5, metadata: {}, cache_control: null }],
  ] as const;
  const priced = { priority: 1, 'a.b': { c: 1 }, plugins: [{ id: 'web' }] };

  it.each(dialects)('refuses them by name when a %s body is forwarded', (_, dialect, body) => {
    for (const [field, value] of Object.entries(priced)) {
      const options = { dialect: dialect as never, forwards: true };
      const error = { code: 'MODEL_CAPABILITY_UNSUPPORTED', status: 400, fields: [expect.objectContaining({ field })] };
      expect(() => fit({ ...body, [field]: value }, options)).toThrow(expect.objectContaining(error));
    }
  });

  it.each(dialects)('leaves them out of a forwarded %s body if the project wants it', (_, dialect, body) => {
    const options = { dialect: dialect as never, forwards: true, drops: true };
    expect(fit({ ...body, ...priced }, options)).toEqual({ dropped: ['priority', 'a.b', 'plugins'], body });
  });

  it.each(dialects)(
    'keeps null and known members of a %s body, and ignores others that are not forwarded',
    (_, dialect, body) => {
      const options = { dialect: dialect as never };
      expect(fit({ ...body, priority: null }, { ...options, forwards: true }).dropped).toBeUndefined();
      expect(fit({ ...body, ...priced }, options).dropped).toBeUndefined();
    },
  );
});

describe('sampling at a model of OpenAI that reasons, behind any host', () => {
  it.each<[string, object, Options]>([
    ['temperature', { temperature: 0 }, {}],
    ['top_p', { top_p: 0.5 }, {}],
    ['presence_penalty', { presence_penalty: 1 }, {}],
    ['logprobs', { logprobs: true }, {}],
    ['temperature', { temperature: 0.2 }, { dialect: responsesDialect as never }],
  ])('refuses %s by name, and names the setting', (field, sampling, more) => {
    for (const forwards of [false, true]) {
      const body = { messages: user, input: 'hi', ...sampling };
      const error = { code: 'MODEL_CAPABILITY_UNSUPPORTED', status: 400, fields: [expect.objectContaining({ field })] };
      expect(() => fit(body, { ...more, forwards })).toThrow(expect.objectContaining(error));
      expect(() => fit(body, { ...more, forwards })).toThrow(
        /^\w+ is not supported by this model; set .*unsupported_parameters to drop/,
      );
    }
  });

  it('leaves it out if the project wants it, also of a forwarded body', () => {
    const body = { messages: user, temperature: 0, top_p: 0.5, seed: 1 };
    expect(fit(body, { drops: true }).dropped).toEqual(['temperature', 'top_p']);
    expect(fit(body, { drops: true, forwards: true })).toEqual({
      dropped: ['temperature', 'top_p'],
      body: { messages: user, seed: 1 },
    });
  });

  it.each<[string, object, Partial<CalledModel>]>([
    ['the default values', { temperature: 1, top_p: 1, presence_penalty: 0 }, {}],
    ['a request without reasoning', { temperature: 0 }, { isReasoningOff: true }],
    ['a model that does not reason', { temperature: 0 }, { upstreamModel: 'gpt-4.1-mini', reasons: false }],
    ['a reasoning model of another maker', { temperature: 0 }, { upstreamModel: 'qwen3' }],
    ['a model that rests by default', { temperature: 0 }, { upstreamModel: 'gpt-5.2' }],
  ])('passes %s on', (_, sampling, called) => {
    expect(fit({ messages: user, ...sampling }, { called: { ...reasoning, ...called } }).dropped).toBeUndefined();
  });

  it.each(['gpt-5.5', 'openai/gpt-5.5', 'o3', 'o4-mini-2025-04-16'])(
    'recognizes %s by its name at the server or in the catalog',
    (name) => {
      for (const names of [{ upstreamModel: name }, { modelId: name }]) {
        const called = { ...reasoning, upstreamModel: 'prod', reasons: false, ...names };
        expect(() => fit({ messages: user, temperature: 0 }, { called })).toThrow('temperature is not supported');
      }
    },
  );

  it('does not concern other providers', () => {
    const provider = openTestConnection({ preset: 'xai' }).models;
    expect(
      fit({ messages: user, temperature: 0 }, { provider, called: { ...reasoning, upstreamModel: 'grok-4.7' } })
        .dropped,
    ).toBeUndefined();
  });
});

it('names the setting and the field of a client that wants JSON without a schema', () => {
  const provider = { ...fakeProvider(), lacks: () => ['json_object' as const] };
  const body = { messages: user, response_format: { type: 'json_object' } };
  const fields = [expect.objectContaining({ field: 'response_format' })];
  expect(() => fit(body, { provider })).toThrow(
    expect.objectContaining({ fields, message: expect.stringContaining('unsupported_parameters') }),
  );
  expect(fit(body, { provider, drops: true }).dropped).toEqual(['response_format']);
});

function fakeProvider(): Provider {
  return { id: 'openai', forwards: [], parameters: () => [] } as unknown as Provider;
}

describe('functions that a provider cannot offer', () => {
  const provider = {
    ...fakeProvider(),
    toolFault: ({ name }: { name: string }) => (name.includes('bad') ? 'it is bad' : undefined),
  };

  function fitNames(names: readonly string[], chosen?: string) {
    const tools = names.map((name) => ({ type: 'function', function: { name } }));
    const choice = chosen === undefined ? {} : { tool_choice: { type: 'function', function: { name: chosen } } };
    const info = {} as TurnInfo;
    const request = chatDialect.toModelRequest({ messages: user, tools, ...choice } as never);
    return { request: fitTools(request, info, provider)(), dropped: info.droppedParameters };
  }

  it('refuses a tool of the request by name', () => {
    const message = 'the tool bad cannot be offered to this model: it is bad';
    const error = { code: 'MODEL_CAPABILITY_UNSUPPORTED', status: 400, message, fields: [{ field: 'tools', message }] };
    expect(() => fitNames(['good', 'bad'])).toThrow(expect.objectContaining(error));
  });

  it('leaves the tools of MCP servers out, and names them', () => {
    const { request, dropped } = fitNames(['good', 'mcp__a__bad', 'mcp__a__fine']);
    expect(request.tools.map(({ name }) => name)).toEqual(['good', 'mcp__a__fine']);
    expect(dropped).toEqual(['tools.mcp__a__bad']);
  });

  it('does not force a tool that it leaves out', () => {
    expect(fitNames(['good', 'mcp__a__bad'], 'mcp__a__bad').request.toolChoice).toBeUndefined();
    const choice = { type: 'required', function: 'good' };
    expect(fitNames(['good', 'mcp__a__bad'], 'good').request.toolChoice).toEqual(choice);
    expect(fitNames(['mcp__a__bad']).request).toMatchObject({ tools: [] });
  });

  it('names no more than 20', () => {
    const names = Array.from({ length: 30 }, (_, i) => `mcp__a__bad${i}`);
    expect(fitNames(names).dropped).toHaveLength(20);
  });
});

interface PlannedOptions {
  drops?: boolean;
  forwards?: boolean;
  parameters?: OptionalParameter[];
  lackedParameters?: OptionalParameter[];
  /** Instead of those that the body has. */
  requested?: RequestedParameter[];
}

function plan(
  more: object,
  { drops = false, forwards = false, parameters = [], requested, ...lists }: PlannedOptions = {},
) {
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
