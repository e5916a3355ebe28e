// Responses with state, with OpenAI's unmodified client library: on a model that is forwarded, on translated ones and on
// the sandbox.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { collectRejections, waitUntil } from '@tollgate/testkit';
import OpenAI from 'openai';
import { catchOpenAiError, openAiClient } from '../system/library-clients.js';
import { must, SANDBOX_MODEL } from '../system/start-system.js';
import { PRICE, useStoredState } from '../system/stored-state.js';

/** Forwarded, translated to Anthropic's dialect, and the sandbox. */
const FORWARDED = 'test/openai-1';
const MODELS = [FORWARDED, 'test/anthropic-1', SANDBOX_MODEL];

const { state, customer, newCustomer, spent } = useStoredState(MODELS);
let client: OpenAI;
beforeEach(() => {
  client = openAiClient(state.system, customer.token);
});
const asked = () => state.upstream.requests.at(-1)!;

describe.each(MODELS)('responses with state of %s', (model) => {
  it('continues a response at once, plain and streamed, and is billed for the whole conversation', async () => {
    const first = await client.responses.create({ model, input: 'the word is tollgate' });
    expect(first).toMatchObject({ store: true, previous_response_id: null });
    const stream = client.responses.stream({ model, input: 'and again', previous_response_id: first.id });
    const second = await stream.finalResponse();
    expect(second).toMatchObject({ store: true, previous_response_id: first.id, status: 'completed' });
    const third = await client.responses.create({ model, input: 'a third time', previous_response_id: second.id });
    const whole = await client.responses.create({
      model,
      store: false,
      input: [
        { role: 'user', content: 'the word is tollgate' },
        ...(first.output as OpenAI.Responses.ResponseInput),
        { role: 'user', content: 'and again' },
        ...(second.output as OpenAI.Responses.ResponseInput),
        { role: 'user', content: 'a third time' },
      ],
    });
    expect(third.usage!.input_tokens).toBeGreaterThan(second.usage!.input_tokens);
    expect(whole.usage!.input_tokens).toBe(third.usage!.input_tokens);
    const all = [first, second, third, whole].map(({ usage }) => usage!);
    const cost = all.reduce((sum, { input_tokens, output_tokens }) => {
      return sum + input_tokens * PRICE.input + output_tokens * PRICE.output;
    }, 0);
    expect(await spent()).toBe(cost);
  });

  it('returns what it stored, lists its input and deletes it', async () => {
    const first = await client.responses.create({
      model,
      input: 'one',
      instructions: 'be brief',
      metadata: { a: 'b' },
    });
    const { _request_id: _id, output_text: _text, ...stored } = first;
    expect(await client.responses.retrieve(first.id)).toMatchObject(stored);
    const second = await client.responses.create({ model, input: 'two', previous_response_id: first.id });
    const roles: unknown[] = [];
    for await (const item of client.responses.inputItems.list(second.id, { order: 'asc', limit: 1 })) {
      roles.push('role' in item ? item.role : item.type);
    }
    expect(roles).toEqual(['user', 'assistant', 'user']);
    await client.responses.delete(first.id);
    expect(await catchOpenAiError(client.responses.retrieve(first.id))).toBeInstanceOf(OpenAI.NotFoundError);
    expect((await client.responses.retrieve(second.id)).id).toBe(second.id);
  });

  it('resolves references to items of earlier answers', async () => {
    const first = await client.responses.create({ model, input: 'the word is tollgate' });
    const input = [
      { role: 'user' as const, content: 'the word is tollgate' },
      { type: 'item_reference' as const, id: first.output.at(-1)!.id! },
      { role: 'user' as const, content: 'and?' },
    ];
    const referred = await client.responses.create({ model, input });
    const sent = [input[0]!, first.output.at(-1)!, input[2]!] as OpenAI.Responses.ResponseInput;
    const whole = await client.responses.create({ model, input: sent, store: false });
    expect(referred.usage!.input_tokens).toBe(whole.usage!.input_tokens);
    const counted = await client.responses.inputTokens.count({ model, input });
    expect(counted.input_tokens).toBe((await client.responses.inputTokens.count({ model, input: sent })).input_tokens);
  });

  it('continues a tool call that the client names instead of sending it, as agent libraries do', async () => {
    const tools = [{ type: 'function' as const, name: 'get_weather', strict: false, parameters: { type: 'object' } }];
    const ask = { role: 'user' as const, content: 'call tool get_weather' };
    const { output } = await client.responses.create({ model, input: [ask], tools });
    const call = output.find((item) => item.type === 'function_call')!;
    const result = { type: 'function_call_output' as const, call_id: call.call_id, output: '21 degrees' };
    const reference = { type: 'item_reference' as const, id: call.id! };
    const answer = await client.responses.create({ model, input: [ask, reference, result], tools });
    expect(answer.output_text).toContain('21 degrees');
  });

  it("fails with the vendor's errors for what is not stored", async () => {
    const { id, output } = await client.responses.create({ model, input: 'x', store: false });
    const before = await spent();
    for (const previous_response_id of [id, 'resp_unknown']) {
      for (const stream of [false, true]) {
        expect(
          await catchOpenAiError(client.responses.create({ model, input: 'hi', previous_response_id, stream })),
        ).toMatchObject({
          status: 400,
          type: 'invalid_request_error',
          code: 'previous_response_not_found',
          param: 'previous_response_id',
          message: expect.stringContaining(`Previous response with id '${previous_response_id}' not found.`),
        });
      }
    }
    const reference = { type: 'item_reference' as const, id: output.at(-1)!.id! };
    expect(await catchOpenAiError(client.responses.create({ model, input: [reference] }))).toMatchObject({
      ...{ status: 404, type: 'invalid_request_error', param: 'input' },
    });
    expect(await spent()).toBe(before);
  });

  it('hides a response from other customers and projects', async () => {
    const { id, output } = await client.responses.create({ model, input: 'private' });
    const neighbor = await newCustomer();
    const stranger = await state.system.project();
    for (const other of [neighbor.token, stranger.secretKey]) {
      const theirs = openAiClient(state.system, other);
      const reference = { type: 'item_reference' as const, id: output.at(-1)!.id! };
      const attempts = [
        theirs.responses.retrieve(id),
        theirs.responses.delete(id),
        theirs.responses.inputItems.list(id),
        theirs.responses.create({ model: SANDBOX_MODEL, input: [reference] }),
      ];
      for (const error of await collectRejections(attempts)) expect(error).toBeInstanceOf(OpenAI.NotFoundError);
      const continued = theirs.responses.create({ model: SANDBOX_MODEL, input: 'x', previous_response_id: id });
      expect(await catchOpenAiError(continued)).toMatchObject({ code: 'previous_response_not_found' });
    }
    expect((await client.responses.retrieve(id)).id).toBe(id);
  });
});

describe('a forwarded conversation', () => {
  it('sends the vendor the whole conversation and stores nothing there', async () => {
    const first = await client.responses.create({ model: FORWARDED, input: 'hello' });
    await client.responses.create({ model: FORWARDED, input: 'and?', previous_response_id: first.id });
    const { body } = asked();
    expect(body).toMatchObject({ store: false });
    expect(body).not.toHaveProperty('previous_response_id');
    expect(body.input.at(0)).toMatchObject({ role: 'user' });
    expect(body.input.slice(1, -1)).toEqual(first.output);
    expect(body.input.at(-1)).toMatchObject({ role: 'user', content: 'and?' });
  });
});

describe('the storage setting of a project', () => {
  it('stores nothing by default where the project does not want it, and refuses requests that insist', async () => {
    const other = await state.system.project();
    must(await other.owner.put(`/projects/${other.id}`, { response_storage: false }), 200);
    const mine = openAiClient(state.system, other.secretKey);
    const ask = () => mine.responses.create({ model: SANDBOX_MODEL, input: 'hi' });
    // A change of a project takes effect within five seconds.
    const isStored = async () => ((await ask()) as { store?: boolean }).store;
    await waitUntil(async () => (await isStored()) === false, { what: 'the setting' });
    const response = await ask();
    expect(await catchOpenAiError(mine.responses.retrieve(response.id))).toBeInstanceOf(OpenAI.NotFoundError);
    const insisting = mine.responses.create({ model: SANDBOX_MODEL, input: 'hi', store: true });
    expect(await catchOpenAiError(insisting)).toMatchObject({ status: 400, param: 'store' });
    must(await other.owner.put(`/projects/${other.id}`, { response_storage: null }), 200);
    await waitUntil(async () => (await isStored()) === true, { what: 'the setting' });
    const later = await ask();
    expect((await mine.responses.retrieve(later.id)).id).toBe(later.id);
  });
});
