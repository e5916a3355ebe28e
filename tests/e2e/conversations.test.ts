// Conversations with OpenAI's unmodified client library: on a model that is forwarded, on translated ones and on the sandbox.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { collectRejections, waitUntil } from '@tollgate/testkit';
import OpenAI from 'openai';
import { catchOpenAiError, openAiClient } from '../system/library-clients.js';
import { must, SANDBOX_MODEL } from '../system/start-system.js';
import { PRICE, useStoredState } from '../system/stored-state.js';

const FORWARDED = 'test/openai-1';
const MODELS = [FORWARDED, 'test/anthropic-1', 'test/google-1', SANDBOX_MODEL];

const { state, customer, newCustomer, spent } = useStoredState(MODELS);
let client: OpenAI;
beforeEach(() => {
  client = openAiClient(state.system, customer.token);
});

async function listRoles(conversation: string): Promise<unknown[]> {
  const roles: unknown[] = [];
  for await (const item of client.conversations.items.list(conversation, { order: 'asc', limit: 2 })) {
    roles.push('role' in item ? item.role : item.type);
  }
  return roles;
}

describe.each(MODELS)('a conversation with %s', (model) => {
  it('has the turns before each request, plain and streamed, and is billed for all of them', async () => {
    const conversation = await client.conversations.create({
      metadata: { topic: 'tolls' },
      items: [{ type: 'message', role: 'developer', content: 'be brief' }],
    });
    expect(conversation).toMatchObject({ object: 'conversation', metadata: { topic: 'tolls' } });
    const first = await client.responses.create({
      model,
      input: 'the word is tollgate',
      conversation: conversation.id,
    });
    expect(first).toMatchObject({ conversation: { id: conversation.id }, store: true, previous_response_id: null });
    const stream = client.responses.stream({ model, input: 'and again', conversation: { id: conversation.id } });
    const second = await stream.finalResponse();
    expect(second).toMatchObject({ status: 'completed', conversation: { id: conversation.id } });
    const whole = await client.responses.create({
      model,
      store: false,
      input: [
        { role: 'developer', content: 'be brief' },
        { role: 'user', content: 'the word is tollgate' },
        ...(first.output as OpenAI.Responses.ResponseInput),
        { role: 'user', content: 'and again' },
      ],
    });
    expect(second.usage!.input_tokens).toBe(whole.usage!.input_tokens);
    expect(await listRoles(conversation.id)).toEqual(['developer', 'user', 'assistant', 'user', 'assistant']);
    const cost = [first, second, whole].reduce((sum, { usage }) => {
      return sum + usage!.input_tokens * PRICE.input + usage!.output_tokens * PRICE.output;
    }, 0);
    expect(await spent()).toBe(cost);
  });

  it('continues a tool call of the turn before', async () => {
    const { id } = await client.conversations.create();
    const tools = [{ type: 'function' as const, name: 'get_weather', strict: false, parameters: { type: 'object' } }];
    const { output } = await client.responses.create({
      model,
      input: 'call tool get_weather',
      tools,
      conversation: id,
    });
    const { call_id } = output.find((item) => item.type === 'function_call')!;
    const result = { type: 'function_call_output' as const, call_id, output: '21 degrees' };
    const answer = await client.responses.create({ model, input: [result], tools, conversation: id });
    expect(answer.output_text).toContain('21 degrees');
    expect((await listRoles(id)).slice(-2)).toEqual(['function_call_output', 'assistant']);
  });

  it('keeps concurrent turns whole', async () => {
    const { id } = await client.conversations.create();
    const names = Array.from({ length: 6 }, (_, i) => `turn ${i}`);
    await Promise.all(names.map((input) => client.responses.create({ model, input, conversation: id })));
    expect(await listRoles(id)).toEqual(names.flatMap(() => ['user', 'assistant']));
  });
});

describe('a conversation', () => {
  it('returns what the client creates, changes and deletes', async () => {
    const { id, created_at } = await client.conversations.create({ metadata: { a: 'b' } });
    expect(await client.conversations.retrieve(id)).toMatchObject({ id, created_at, metadata: { a: 'b' } });
    expect(await client.conversations.update(id, { metadata: { c: 'd' } })).toMatchObject({ id, metadata: { c: 'd' } });
    const added = await client.conversations.items.create(id, {
      items: [
        { type: 'message', role: 'user', content: 'one' },
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'two' }] },
      ],
    });
    expect(added).toMatchObject({ object: 'list', has_more: false, first_id: added.data[0]!.id });
    const [item] = added.data;
    expect(await client.conversations.items.retrieve(item!.id!, { conversation_id: id })).toEqual(item);
    const without = await client.conversations.items.delete(item!.id!, { conversation_id: id });
    expect(without).toMatchObject({ id, object: 'conversation' });
    expect(await listRoles(id)).toEqual(['user']);
    expect(await client.conversations.delete(id)).toMatchObject({ id, deleted: true, object: 'conversation.deleted' });
    const attempts = [
      client.conversations.retrieve(id),
      client.conversations.items.list(id),
      client.responses.create({ model: SANDBOX_MODEL, input: 'hi', conversation: id }),
    ];
    for (const error of await collectRejections(attempts)) expect(error).toBeInstanceOf(OpenAI.NotFoundError);
  });

  it('hides from other customers and projects', async () => {
    const { id } = await client.conversations.create({
      items: [{ type: 'message', role: 'user', content: 'private' }],
    });
    const [item] = (await client.conversations.items.list(id)).data;
    const neighbor = await newCustomer();
    const stranger = await state.system.project();
    for (const other of [neighbor.token, stranger.secretKey]) {
      const theirs = openAiClient(state.system, other);
      const attempts = [
        theirs.conversations.retrieve(id),
        theirs.conversations.update(id, { metadata: {} }),
        theirs.conversations.items.list(id),
        theirs.conversations.items.create(id, { items: [{ type: 'message', role: 'user', content: 'x' }] }),
        theirs.conversations.items.retrieve(item!.id!, { conversation_id: id }),
        theirs.conversations.items.delete(item!.id!, { conversation_id: id }),
        theirs.responses.create({ model: SANDBOX_MODEL, input: 'x', conversation: id }),
        theirs.responses.inputTokens.count({ model: SANDBOX_MODEL, input: 'x', conversation: id }),
        theirs.conversations.delete(id),
      ];
      for (const error of await collectRejections(attempts)) expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    }
    expect(await listRoles(id)).toEqual(['user']);
  });

  it('sends the vendor the whole conversation, and no name of it', async () => {
    const { id } = await client.conversations.create();
    const first = await client.responses.create({ model: FORWARDED, input: 'hello', conversation: id });
    await client.responses.create({ model: FORWARDED, input: 'and?', conversation: id });
    const { body } = state.upstream.requests.at(-1)!;
    expect(body).toMatchObject({ store: false });
    expect(body).not.toHaveProperty('conversation');
    expect(body.input.slice(1, -1)).toEqual(first.output);
  });

  it('counts the tokens of a request with the items before it', async () => {
    const items = [{ type: 'message' as const, role: 'user' as const, content: 'the word is tollgate' }];
    const { id } = await client.conversations.create({ items });
    const ofConversation = await client.responses.inputTokens.count({
      model: SANDBOX_MODEL,
      input: 'x',
      conversation: id,
    });
    const input = [...items, { role: 'user' as const, content: 'x' }];
    expect(ofConversation).toEqual(await client.responses.inputTokens.count({ model: SANDBOX_MODEL, input }));
  });

  it('takes the items of a request once that is repeated with its key', async () => {
    const { id } = await client.conversations.create();
    const options = { headers: { 'Idempotency-Key': `turn-${id}` } };
    const ask = () => client.responses.create({ model: SANDBOX_MODEL, input: 'once', conversation: id }, options);
    const [first, second] = [await ask(), await ask()];
    expect(second.id).toBe(first.id);
    expect(await listRoles(id)).toEqual(['user', 'assistant']);
    const add = () =>
      client.conversations.items.create(
        id,
        { items: [{ type: 'message', role: 'user', content: 'x' }] },
        { headers: { 'Idempotency-Key': `items-${id}` } },
      );
    expect((await add()).data).toEqual((await add()).data);
    expect(await listRoles(id)).toEqual(['user', 'assistant', 'user']);
  });

  it('refuses what it does not support, and charges nothing for it', async () => {
    const { id } = await client.conversations.create();
    const first = await client.responses.create({ model: SANDBOX_MODEL, input: 'hi', conversation: id });
    const before = await spent();
    const both = { model: SANDBOX_MODEL, input: 'x', conversation: id, previous_response_id: first.id };
    expect(await catchOpenAiError(client.responses.create(both))).toMatchObject({
      status: 400,
      param: 'previous_response_id',
    });
    const many = Array.from({ length: 21 }, () => ({ type: 'message' as const, role: 'user' as const, content: 'x' }));
    expect(await catchOpenAiError(client.conversations.items.create(id, { items: many }))).toMatchObject({
      ...{ status: 400, param: 'items' },
    });
    const reference = { type: 'item_reference' as const, id: 'msg_1' };
    expect(await catchOpenAiError(client.conversations.create({ items: [reference] }))).toMatchObject({ status: 400 });
    const metadata = Object.fromEntries(Array.from({ length: 17 }, (_, i) => [`k${i}`, 'v']));
    expect(await catchOpenAiError(client.conversations.create({ metadata }))).toMatchObject({
      status: 400,
      param: 'metadata',
    });
    expect(await spent()).toBe(before);
  });

  it('needs a project that stores responses', async () => {
    const other = await state.system.project();
    must(await other.owner.put(`/projects/${other.id}`, { response_storage: false }), 200);
    const mine = openAiClient(state.system, other.secretKey);
    // A change of a project takes effect within five seconds.
    const refusal = async () => catchOpenAiError(mine.conversations.create());
    await waitUntil(async () => (await refusal())?.status === 400, { what: 'the setting' });
    expect(await refusal()).toMatchObject({ message: expect.stringContaining('response_storage') });
    const asked = { model: SANDBOX_MODEL, input: 'x', conversation: 'conv_1' };
    expect(await catchOpenAiError(mine.responses.create(asked))).toMatchObject({ status: 400, param: 'conversation' });
  });
});
