// Batches whose requests refer to stored responses, items and conversations, with OpenAI's unmodified client library.
import { beforeEach, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import OpenAI, { toFile } from 'openai';
import { openAiClient } from '../system/library-clients.js';
import { SANDBOX_MODEL } from '../system/start-system.js';
import { PRICE, readSpent, useStoredState } from '../system/stored-state.js';

const { state, customer, newCustomer } = useStoredState([SANDBOX_MODEL]);
let client: OpenAI;
beforeEach(() => {
  client = openAiClient(state.system, customer.token);
});

interface Line {
  custom_id: string;
  response: { status_code: number; body: OpenAI.Responses.Response & { error: { code: string; message: string } } };
}

/** Runs a batch with one request per entry. Returns the lines of its output and of its error file by their `custom_id`. */
async function runBatch(requests: Record<string, object>, from = client): Promise<Record<string, Line['response']>> {
  const lines = Object.entries(requests).map(([custom_id, body]) =>
    JSON.stringify({ custom_id, method: 'POST', url: '/v1/responses', body: { model: SANDBOX_MODEL, ...body } }),
  );
  const file = await toFile(Buffer.from(lines.join('\n')), 'in.jsonl');
  const { id: input_file_id } = await from.files.create({ file, purpose: 'batch' });
  const { id } = await from.batches.create({ input_file_id, endpoint: '/v1/responses', completion_window: '24h' });
  const ended = await waitUntil(
    async () => {
      const batch = await from.batches.retrieve(id);
      return batch.status === 'completed' ? batch : undefined;
    },
    { what: 'the end of the batch', timeoutMs: 60_000 },
  );
  const answers: Record<string, Line['response']> = {};
  for (const fileId of [ended.output_file_id, ended.error_file_id]) {
    if (!fileId) continue;
    const text = await (await from.files.content(fileId)).text();
    for (const line of text.trimEnd().split('\n')) {
      const { custom_id, response } = JSON.parse(line) as Line;
      answers[custom_id] = response;
    }
  }
  return answers;
}

it('continues responses, names items, and stores the answers, for the price of the whole conversations', async () => {
  const first = await client.responses.create({ model: SANDBOX_MODEL, input: 'the word is tollgate' });
  const answers = await runBatch({
    continued: { input: 'and?', previous_response_id: first.id },
    named: {
      input: [
        { type: 'item_reference', id: first.output[0]!.id },
        { role: 'user', content: 'and?' },
      ],
    },
    unlisted: { input: 'and?', previous_response_id: first.id, store: false },
  });
  const bodies = Object.fromEntries(Object.entries(answers).map(([id, { body }]) => [id, body]));
  const { continued, named, unlisted } = bodies as Record<
    'continued' | 'named' | 'unlisted',
    OpenAI.Responses.Response
  >;
  expect(continued).toMatchObject({ status: 'completed', store: true, previous_response_id: first.id });
  expect(continued.usage!.input_tokens).toBeGreaterThan(named.usage!.input_tokens);
  expect(unlisted).toMatchObject({ store: false, usage: { input_tokens: continued.usage!.input_tokens } });

  const roles: unknown[] = [];
  for await (const item of client.responses.inputItems.list(continued.id, { order: 'asc' })) {
    roles.push('role' in item ? item.role : item.type);
  }
  expect(roles).toEqual(['user', 'assistant', 'user']);
  expect(await client.responses.retrieve(named.id)).toMatchObject({ id: named.id, output: named.output });
  await expect(client.responses.retrieve(unlisted.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  const next = await client.responses.create({
    model: SANDBOX_MODEL,
    input: 'once more',
    previous_response_id: continued.id,
  });
  expect(next.usage!.input_tokens).toBeGreaterThan(continued.usage!.input_tokens);

  const cost = [first, continued, named, unlisted, next].reduce(
    (sum, { usage }) => sum + usage!.input_tokens * PRICE.input + usage!.output_tokens * PRICE.output,
    0,
  );
  expect(await readSpent(customer)).toBe(cost);
});

it('adds each request with its answer to the conversation that it names', async () => {
  const conversation = await client.conversations.create({ items: [{ role: 'user', content: 'said before' }] });
  const answers = await runBatch({
    one: { input: 'first', conversation: conversation.id },
    two: { input: 'second', conversation: { id: conversation.id } },
  });
  expect(Object.values(answers).map(({ status_code: status }) => status)).toEqual([200, 200]);
  const items = [];
  for await (const item of client.conversations.items.list(conversation.id)) items.push(item);
  expect(items).toHaveLength(5);
});

it("fails only the lines that name what is unknown, or another customer's, and charges nothing for them", async () => {
  const other = openAiClient(state.system, (await newCustomer()).token);
  const theirs = await other.responses.create({ model: SANDBOX_MODEL, input: 'secret' });
  const room = await other.conversations.create({ items: [{ role: 'user', content: 'secret' }] });
  const answers = await runBatch({
    unknown: { input: 'x', previous_response_id: 'resp_unknown' },
    theirs: { input: 'x', previous_response_id: theirs.id },
    item: { input: [{ type: 'item_reference', id: theirs.output[0]!.id }] },
    room: { input: 'x', conversation: room.id },
    fine: { input: 'x' },
  });
  const statuses = Object.fromEntries(Object.entries(answers).map(([id, { status_code }]) => [id, status_code]));
  expect(statuses).toEqual({ unknown: 400, theirs: 400, item: 404, room: 404, fine: 200 });
  for (const id of ['unknown', 'theirs']) {
    expect(answers[id]!.body.error).toMatchObject({ code: 'previous_response_not_found' });
  }
  expect(JSON.stringify(answers)).not.toContain('secret');
  const { usage } = answers.fine!.body;
  expect(await readSpent(customer)).toBe(usage!.input_tokens * PRICE.input + usage!.output_tokens * PRICE.output);
  expect(await other.conversations.items.list(room.id)).toMatchObject({ data: { length: 1 } });
});
