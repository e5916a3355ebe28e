import { randomUUID } from 'node:crypto';
import { toBackgroundResponseId, toResponseHead } from '@tollgate/api/compatible';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { callAs, customerToken, type TestEngine } from './engine-fixture.js';
import { until } from './run-client.js';

type Clients = Pick<TestEngine, 'background'>;

/** A response as clients read it; undefined while it is stored elsewhere. */
export interface ReadResponse {
  id: string;
  status: string;
  error: { code: string; message: string } | null;
  output: unknown[];
  usage: unknown;
}

/** Queues a request with one prompt. Returns the UUID of its response. */
export async function queue(
  { background }: Clients,
  prompt: string,
  { principal = customerToken(), holdId = randomUUID(), ...options }: Partial<Queued> = {},
): Promise<string> {
  const { model = 'sandbox/echo-1', holdTtlMs = 0, isStreamed = false, instructions } = options;
  const body = { model, input: prompt, background: true, instructions };
  const facts = {
    id: toBackgroundResponseId(holdId),
    model,
    startedAt: Date.now(),
    isStored: true,
    isInConversation: false,
  };
  const request = {
    holdId,
    body: Buffer.from(JSON.stringify(body)),
    headJson: Buffer.from(JSON.stringify(toResponseHead(facts, body))),
    storage: { previousKey: '', historyItems: 0 },
    holdTtlMs,
    isStreamed,
  };
  const { responseJson } = await background.createBackgroundResponse(request, callAs(principal));
  const response = parse(responseJson);
  if (response?.id !== facts.id) throw new Error('another response was queued');
  return holdId;
}

interface Queued {
  principal: Principal;
  holdId: string;
  model: string;
  holdTtlMs: number;
  isStreamed: boolean;
  instructions: string;
}

/** An event of a stream. */
export interface StreamedEvent {
  type: string;
  sequence_number: number;
  output_index?: number;
  delta?: string;
  response?: { id: string; status: string; instructions?: unknown };
}

/** Yields the events of a response after a position, until its end or the deadline of the reader. */
export async function* readStream(
  { background }: Clients,
  uuid: string,
  { principal = customerToken(), after, timeoutMs }: { principal?: Principal; after?: number; timeoutMs?: number } = {},
): AsyncGenerator<StreamedEvent> {
  const from = { id: toBackgroundResponseId(uuid), ...(after === undefined ? {} : { startingAfter: after }) };
  for await (const { events } of background.streamBackgroundResponse(from, callAs(principal, timeoutMs))) {
    for (const { data } of events) yield JSON.parse(Buffer.from(data).toString('utf8')) as StreamedEvent;
  }
}

export async function readQueued(
  { background }: Clients,
  uuid: string,
  principal = customerToken(),
): Promise<ReadResponse | undefined> {
  const id = toBackgroundResponseId(uuid);
  return parse((await background.getBackgroundResponse({ id }, callAs(principal))).responseJson);
}

export async function cancelQueued(
  { background }: Clients,
  uuid: string,
  principal = customerToken(),
): Promise<ReadResponse | undefined> {
  const id = toBackgroundResponseId(uuid);
  return parse((await background.cancelBackgroundResponse({ id }, callAs(principal))).responseJson);
}

/** Waits until the response has ended. */
export async function awaitQueued(engine: Clients, uuid: string, principal = customerToken()): Promise<string> {
  const read = async () => (await readQueued(engine, uuid, principal))?.status ?? 'stored';
  await until(async () => !['queued', 'in_progress'].includes(await read()), 60_000);
  return read();
}

function parse(json: Uint8Array): ReadResponse | undefined {
  return json.length === 0 ? undefined : (JSON.parse(Buffer.from(json).toString('utf8')) as ReadResponse);
}
