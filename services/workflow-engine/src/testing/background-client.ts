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
  { principal = customerToken(), holdId = randomUUID(), model = 'sandbox/echo-1', holdTtlMs = 0 }: Partial<Queued> = {},
): Promise<string> {
  const body = { model, input: prompt, background: true };
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
