// Files and batches with OpenAI's unmodified client library; the costs are compared with the ledger.
import { beforeEach, describe, expect, it } from '@jest/globals';
import { waitUntil } from '@tollgate/testkit';
import OpenAI, { toFile } from 'openai';
import { openAiClient } from '../system/library-clients.js';
import { must, SANDBOX_MODEL, type TestCustomer } from '../system/start-system.js';
import { useProject, useSystem } from '../system/use-system.js';

const EMBEDDING_MODEL = 'sandbox/embed-1';
const PRICE = { input: 200, output: 600 };
const DAY_SECONDS = 86_400;

const system = useSystem();
const project = useProject(system);
let customer: TestCustomer;
let client: OpenAI;

beforeEach(async () => {
  customer = await newCustomer(100_000);
  client = openAiClient(system, customer.token);
});

function newCustomer(spendLimitCents: number): Promise<TestCustomer> {
  const models = [SANDBOX_MODEL, EMBEDDING_MODEL].map((model_id, i) => ({
    model_id,
    is_default: i === 0,
    input_price_per_million_cents: PRICE.input,
    output_price_per_million_cents: PRICE.output,
  }));
  return project.customerOn('free', { spendLimitCents, tier: { models } });
}

const chat = (text: string) => ({ model: SANDBOX_MODEL, messages: [{ role: 'user', content: text }] });

function toLine(customId: string, body: object, url = '/v1/chat/completions') {
  return { custom_id: customId, method: 'POST', url, body };
}

async function upload(lines: readonly (object | string)[], from = client) {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  return from.files.create({ file: await toFile(Buffer.from(text), 'in.jsonl'), purpose: 'batch' });
}

type Endpoint = OpenAI.BatchCreateParams['endpoint'];

async function start(lines: readonly (object | string)[], endpoint: Endpoint = '/v1/chat/completions', from = client) {
  const { id } = await upload(lines, from);
  return from.batches.create({ input_file_id: id, endpoint, completion_window: '24h' });
}

const ENDED = ['completed', 'failed', 'expired', 'cancelled'];

function awaitEnd(id: string, from = client) {
  return waitUntil(
    async () => {
      const batch = await from.batches.retrieve(id);
      return ENDED.includes(batch.status) ? batch : undefined;
    },
    { what: 'the end of the batch', timeoutMs: 60_000 },
  );
}

async function readLines(id: string | undefined, from = client) {
  const text = await (await from.files.content(id!)).text();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('files', () => {
  it('returns an upload alone, in lists and as bytes, and deletes it', async () => {
    const text = `${JSON.stringify(toLine('a', chat('hello')))}\n${'x'.repeat(2_500_000)}`;
    const file = await client.files.create({
      file: await toFile(Buffer.from(text), 'in.jsonl'),
      purpose: 'batch',
      expires_after: { anchor: 'created_at', seconds: 7_200 },
    });
    expect(file).toMatchObject({ object: 'file', filename: 'in.jsonl', purpose: 'batch', bytes: text.length });
    expect(file.expires_at).toBe(file.created_at + 7_200);
    expect(await client.files.retrieve(file.id)).toEqual(file);
    expect(await (await client.files.content(file.id)).text()).toBe(text);

    const second = await upload([toLine('b', chat('x'))]);
    const pages: string[] = [];
    for await (const each of client.files.list({ limit: 1 })) pages.push(each.id);
    expect(pages).toEqual([second.id, file.id]);
    expect((await client.files.list({ order: 'asc', purpose: 'batch' })).data.map(({ id }) => id)).toEqual([
      file.id,
      second.id,
    ]);

    expect(await client.files.delete(file.id)).toEqual({ id: file.id, object: 'file', deleted: true });
    await expect(client.files.retrieve(file.id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  });

  it('expires files after 30 days unless the upload says otherwise', async () => {
    const { created_at: createdAt, expires_at: expiresAt } = await upload(['{}']);
    expect(expiresAt).toBe(createdAt + 30 * DAY_SECONDS);
  });

  it.each(['user_data', 'vision', 'assistants', 'evals'] as const)(
    'stores files of the purpose %s',
    async (purpose) => {
      const bytes = Buffer.from([0, 1, 2, 255]);
      const file = await client.files.create({ file: await toFile(bytes, 'a.bin'), purpose });
      expect(file).toMatchObject({ purpose, filename: 'a.bin', bytes: 4, status: 'processed' });
      expect(Buffer.from(await (await client.files.content(file.id)).arrayBuffer())).toEqual(bytes);
      expect((await client.files.list({ purpose })).data).toEqual([file]);
      const batch = client.batches.create({
        input_file_id: file.id,
        endpoint: '/v1/chat/completions',
        completion_window: '24h',
      });
      await expect(batch).rejects.toMatchObject({ status: 400, message: expect.stringContaining('purpose batch') });
    },
  );

  it('returns the same file for the same upload with an idempotency key, and refuses other bytes', async () => {
    const create = async (text: string, from = client) =>
      from.files.create(
        { file: await toFile(Buffer.from(text), 'in.jsonl'), purpose: 'user_data' },
        { headers: { 'Idempotency-Key': 'upload-1' } },
      );
    const file = await create('one');
    expect(await create('one')).toEqual(file);
    await expect(create('two')).rejects.toBeInstanceOf(OpenAI.ConflictError);
    const other = openAiClient(system, (await newCustomer(1_000)).token);
    expect((await create('two', other)).id).not.toBe(file.id);
    expect((await client.files.list()).data).toEqual([file]);
  });

  it('refuses files with another purpose, without bytes, or as anything but a form', async () => {
    const file = () => toFile(Buffer.from('{}'), 'in.jsonl');
    const refused = (request: Promise<unknown>) => expect(request).rejects.toBeInstanceOf(OpenAI.BadRequestError);
    await expect(client.files.create({ file: await file(), purpose: 'fine-tune' })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining('fine-tune is not supported'),
    });
    await refused(client.files.create({ file: await toFile(Buffer.alloc(0), 'in.jsonl'), purpose: 'batch' }));
    await refused(client.post('/files', { body: { purpose: 'batch' } }));
  });
});

describe('batches', () => {
  it('answers each line, charges it once, and names failed lines in the error file', async () => {
    const batch = await client.batches.create({
      input_file_id: (
        await upload([
          toLine('one', chat('say hello')),
          toLine('bad', { model: SANDBOX_MODEL, messages: 'none' }),
          toLine('two', chat('say goodbye')),
          toLine('unknown', { ...chat('x'), model: 'no/such-model' }),
        ])
      ).id,
      endpoint: '/v1/chat/completions',
      completion_window: '24h',
      metadata: { night: 'shift' },
    });
    expect(batch).toMatchObject({ object: 'batch', completion_window: '24h', metadata: { night: 'shift' } });
    expect(batch.expires_at).toBe(batch.created_at + DAY_SECONDS);

    const ended = await awaitEnd(batch.id);
    expect(ended).toMatchObject({
      status: 'completed',
      model: SANDBOX_MODEL,
      request_counts: { total: 4, completed: 2, failed: 2 },
    });
    for (const time of [ended.in_progress_at, ended.finalizing_at, ended.completed_at]) {
      expect(time).toBeGreaterThanOrEqual(batch.created_at);
    }
    const answers = await readLines(ended.output_file_id);
    expect(answers.map((line) => [line.custom_id, line.response.status_code, line.error])).toEqual([
      ['one', 200, null],
      ['two', 200, null],
    ]);
    expect(answers[0].id).toMatch(/^batch_req_[0-9a-f]{32}$/);
    expect(answers[0].response.body).toMatchObject({ object: 'chat.completion', choices: [{ index: 0 }] });
    const errors = await readLines(ended.error_file_id);
    expect(errors.map((line) => [line.custom_id, line.response.status_code])).toEqual([
      ['bad', 400],
      ['unknown', 404],
    ]);
    expect(errors[0].response.body.error).toMatchObject({ type: 'invalid_request_error' });
    expect((await client.files.retrieve(ended.output_file_id!)).purpose).toBe('batch_output');

    const usages = answers.map((line) => line.response.body.usage);
    const sum = (name: string) => usages.reduce((total, usage) => total + usage[name], 0);
    expect(ended.usage).toMatchObject({
      input_tokens: sum('prompt_tokens'),
      output_tokens: sum('completion_tokens'),
      total_tokens: sum('total_tokens'),
    });
    const { usage } = must(await customer.api.get('/customers/me/usage'), 200);
    expect(usage.total_cost_microcents).toBe(
      sum('prompt_tokens') * PRICE.input + sum('completion_tokens') * PRICE.output,
    );
  });

  it('runs requests of /v1/responses and of /v1/embeddings', async () => {
    const asked = { model: SANDBOX_MODEL, input: 'say hello' };
    const responses = await start([toLine('r', asked, '/v1/responses')], '/v1/responses');
    const embedded = { model: EMBEDDING_MODEL, input: ['a', 'b'] };
    const embeddings = await start([toLine('e', embedded, '/v1/embeddings')], '/v1/embeddings');
    const [response] = await readLines((await awaitEnd(responses.id)).output_file_id);
    expect(response.response.body).toMatchObject({ object: 'response', status: 'completed' });
    const ended = await awaitEnd(embeddings.id);
    const [vectors] = await readLines(ended.output_file_id);
    expect(vectors.response.body).toMatchObject({ object: 'list', data: [{ index: 0 }, { index: 1 }] });
    expect(ended.usage).toMatchObject({ input_tokens: vectors.response.body.usage.prompt_tokens });
  });

  it('fails as a whole, without a charge, for lines that are no requests', async () => {
    const batch = await start([
      toLine('a', chat('x')),
      'no json',
      toLine('a', chat('y')),
      toLine('c', chat('z'), '/v1/responses'),
      { custom_id: 'd', method: 'GET', url: '/v1/chat/completions', body: {} },
    ]);
    const ended = await awaitEnd(batch.id);
    expect(ended).toMatchObject({ status: 'failed', request_counts: { total: 0, completed: 0, failed: 0 } });
    const faults = ended.errors?.data?.map(({ line, code }) => [line, code]);
    expect(faults?.sort()).toEqual([
      [2, 'invalid_json_line'],
      [3, 'duplicate_custom_id'],
      [4, 'mismatched_url'],
      [5, 'invalid_method'],
    ]);
    expect(must(await customer.api.get('/customers/me/usage'), 200).usage.total_cost_microcents).toBe(0);
  });

  it('puts lines beyond the customer’s funds into the error file', async () => {
    const poor = await newCustomer(0);
    const from = openAiClient(system, poor.token);
    const ended = await awaitEnd((await start([toLine('a', chat('hello'))], undefined, from)).id, from);
    expect(ended).toMatchObject({ status: 'completed', request_counts: { completed: 0, failed: 1 } });
    expect(ended.output_file_id).toBeNull();
    const [refused] = await readLines(ended.error_file_id, from);
    expect(refused.response.status_code).toBe(402);
  });

  it('keeps the answers that a canceled batch has', async () => {
    const lines = Array.from({ length: 40 }, (_, i) => toLine(`l${i}`, chat(`wait ${i < 4 ? 1 : 800} ms`)));
    const { id } = await start(lines);
    await waitUntil(async () => ((await client.batches.retrieve(id)).request_counts?.completed ?? 0) >= 4, {
      what: 'four answers',
    });
    const canceling = await client.batches.cancel(id);
    expect(canceling.status).toBe('cancelling');
    expect(await client.batches.cancel(id)).toMatchObject({ id });
    const ended = await awaitEnd(id);
    expect(ended.status).toBe('cancelled');
    expect(ended.cancelled_at).toBeGreaterThanOrEqual(ended.cancelling_at!);
    const { total, completed } = ended.request_counts!;
    expect(total).toBe(40);
    expect(completed).toBeLessThan(40);
    expect(await readLines(ended.output_file_id)).toHaveLength(completed);
    const finished = await awaitEnd((await start([toLine('a', chat('x'))])).id);
    await expect(client.batches.cancel(finished.id)).rejects.toBeInstanceOf(OpenAI.ConflictError);
  });

  it('returns the same batch for the same Idempotency-Key, and refuses the key for another request', async () => {
    const { id: fileId } = await upload([toLine('a', chat('x'))]);
    const body = { input_file_id: fileId, endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
    const headers = { 'Idempotency-Key': 'nightly' };
    const first = await client.batches.create(body, { headers });
    expect((await client.batches.create(body, { headers })).id).toBe(first.id);
    const other = client.batches.create({ ...body, metadata: { a: 'b' } }, { headers });
    await expect(other).rejects.toBeInstanceOf(OpenAI.ConflictError);
    await awaitEnd(first.id);
  });

  it('lists batches newest first, page by page', async () => {
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.unshift((await start([toLine(name, chat('x'))])).id);
    const listed: string[] = [];
    for await (const batch of client.batches.list({ limit: 2 })) listed.push(batch.id);
    expect(listed).toEqual(ids);
    await Promise.all(ids.map((id) => awaitEnd(id)));
  });
});

describe('isolation', () => {
  it('hides files and batches from other customers and projects, and shows them to the project', async () => {
    const file = await upload([toLine('a', chat('x'))]);
    const body = { input_file_id: file.id, endpoint: '/v1/chat/completions', completion_window: '24h' } as const;
    const batch = await client.batches.create(body);
    await awaitEnd(batch.id);
    const neighbor = await newCustomer(100);
    const stranger = await system.project();
    for (const credential of [neighbor.token, stranger.secretKey]) {
      const other = openAiClient(system, credential);
      const refused = (request: Promise<unknown>) => expect(request).rejects.toBeInstanceOf(OpenAI.NotFoundError);
      await refused(other.files.retrieve(file.id));
      await refused(other.files.content(file.id));
      await refused(other.files.delete(file.id));
      await refused(other.batches.retrieve(batch.id));
      await refused(other.batches.cancel(batch.id));
      await expect(other.batches.create(body)).rejects.toBeInstanceOf(OpenAI.BadRequestError);
      expect((await other.files.list()).data).toEqual([]);
      expect((await other.batches.list()).data).toEqual([]);
    }
    const owner = openAiClient(system, project.secretKey);
    expect((await owner.files.retrieve(file.id)).id).toBe(file.id);
    expect((await owner.batches.retrieve(batch.id)).id).toBe(batch.id);
  });
});
