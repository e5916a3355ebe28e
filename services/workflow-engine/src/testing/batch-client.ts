import type { Batch } from '@tollgate/api/compatible';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { callAs, customerToken, type TestEngine } from './engine-fixture.js';
import { until } from './run-client.js';

const MODEL = 'sandbox/echo-1';
const ENDED = ['completed', 'failed', 'expired', 'cancelled'];

type BatchClients = Pick<TestEngine, 'files' | 'batches'>;

/** Returns the text of an input file with one request per prompt, which is also its `custom_id`. */
export function writeInput(prompts: readonly string[]): string {
  const lines = prompts.map((content) => {
    const body = { model: MODEL, messages: [{ role: 'user', content }] };
    return JSON.stringify({ custom_id: content, method: 'POST', url: '/v1/chat/completions', body });
  });
  return lines.join('\n');
}

/** Uploads the requests and starts their batch. */
export async function startBatch(
  engine: BatchClients,
  prompts: readonly string[],
  principal: Principal = customerToken(),
): Promise<string> {
  return startBatchFrom(engine, writeInput(prompts), principal);
}

/** Uploads an input file and starts its batch. */
export async function startBatchFrom(
  { files, batches }: BatchClients,
  input: string,
  principal: Principal = customerToken(),
  endpoint = '/v1/chat/completions',
): Promise<string> {
  const call = () => callAs(principal);
  const { id } = await files.beginFile({}, call());
  await files.appendFile({ id, part: 0, body: Buffer.from(input) }, call());
  await files.completeFile({ id, purpose: 'batch', filename: 'in.jsonl', parts: 1 }, call());
  const { batchJson } = await batches.createBatch({ inputFileId: id, endpoint }, call());
  return readBatch(batchJson).id;
}

export async function getBatch({ batches }: BatchClients, id: string, principal = customerToken()): Promise<Batch> {
  return readBatch((await batches.getBatch({ id }, callAs(principal))).batchJson);
}

export async function cancelBatch({ batches }: BatchClients, id: string): Promise<void> {
  await batches.cancelBatch({ id }, callAs(customerToken()));
}

/** Returns the batch when it has ended. */
export async function awaitBatch(engine: BatchClients, id: string, principal = customerToken()): Promise<Batch> {
  await until(async () => ENDED.includes((await getBatch(engine, id, principal)).status), 60_000);
  return getBatch(engine, id, principal);
}

/** A line of an output or error file. */
export interface AnswerLine {
  custom_id: string;
  response: { status_code: number; body: { choices: { message: { content: string } }[] } } | null;
  error: { code: string } | null;
}

/** Reads the lines of a file; none without a file. */
export async function readAnswers(
  { files }: BatchClients,
  id: string | null,
  principal = customerToken(),
): Promise<AnswerLine[]> {
  if (id === null) return [];
  const parts: Buffer[] = [];
  for await (const { body } of files.readFile({ id }, callAs(principal))) parts.push(Buffer.from(body));
  const lines = Buffer.concat(parts).toString('utf8').trimEnd().split('\n');
  return lines.map((line) => JSON.parse(line) as AnswerLine);
}

function readBatch(json: Uint8Array): Batch {
  return JSON.parse(Buffer.from(json).toString('utf8')) as Batch;
}
