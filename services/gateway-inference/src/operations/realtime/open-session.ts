import { toConnectionId } from '@tollgate/catalog';
import type { OpenSessionRequest } from '@tollgate/contracts/inference/v1/realtime_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { type JsonObject, LATE, newOrderedId, within } from '@tollgate/runtime';
import type { Context } from '../../context.js';
import { parseJson, toChild } from '../../domain/realtime/json.js';
import { SessionState } from '../../domain/realtime/session-state.js';
import type { FindTranscriber } from '../../domain/realtime/transcription.js';
import type { RealtimeConnection } from '../../providers/contract/realtime-provider.js';
import type { SessionItem } from './outbox.js';
import { RealtimeSession } from './session.js';
import { checkAdmission, connect, planSession, type SessionContext, type SessionPlan } from './session-plan.js';

export type OpenSessionContext = SessionContext & Pick<Context, 'connections'>;

/** How long the vendor may take to begin a session that it has accepted. */
const SETUP_MS = 10_000;

/** Opens a session and yields what its client receives. @throws AppError when it cannot be opened */
export async function* openSession(
  ctx: OpenSessionContext,
  requests: AsyncIterable<OpenSessionRequest>,
  call: Call,
): AsyncGenerator<SessionItem> {
  const incoming = requests[Symbol.asyncIterator]();
  const first = await incoming.next();
  if (first.done || first.value.item.case !== 'start')
    throw new AppError('INVALID_INPUT', 'a session begins with start');
  const plan = planSession(ctx, first.value.item.value.model, call);
  await checkAdmission(ctx, plan, { model: plan.modelName });
  const { route, connection } = await connect(ctx, plan);
  const { state, created } = await setUp(plan, connection, toFindTranscriber(ctx, route.connection));
  const session = new RealtimeSession(ctx, { plan, route, connection, state });
  const leave = (): void => void session.leave();
  call.onAbort(leave);
  if (call.isAborted) leave();
  try {
    yield { item: { case: 'opened', value: { modelId: plan.model.model_id } } };
    yield { item: { case: 'event', value: Buffer.from(JSON.stringify(state.present(created))) } };
    void session.readVendor();
    void readClient(session, incoming);
    for await (const item of session.items) yield item;
  } finally {
    call.offAbort(leave);
    await session.leave();
    void Promise.resolve(incoming.return?.()).catch(() => undefined);
  }
}

/** Makes the vendor's session safe before the client may use it. */
async function setUp(
  plan: SessionPlan,
  connection: RealtimeConnection,
  findTranscriber: FindTranscriber,
): Promise<{ state: SessionState; created: JsonObject }> {
  const { model, modelName } = plan;
  try {
    const created = await nextEvent(connection, 'session.created');
    const state = new SessionState(model, modelName, toChild(created, 'session'), newOrderedId, findTranscriber);
    await connection.send(JSON.stringify(state.setup));
    await nextEvent(connection, 'session.updated');
    return { state, created };
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Finds priced models for transcripts at the connection of a session. */
function toFindTranscriber({ catalog }: Pick<Context, 'catalog'>, connection: string): FindTranscriber {
  return (name) => {
    const model = catalog.find(name);
    if (model?.serves !== 'transcription' || model.input_cost_per_million_cents === undefined) return undefined;
    const route = model.routes.find((each) => toConnectionId(each) === connection);
    return route && { model, upstreamModel: route.upstream_model };
  };
}

/** @throws AppError when another event comes, or none in time */
async function nextEvent({ events }: RealtimeConnection, type: string): Promise<JsonObject> {
  const next = await within(events[Symbol.asyncIterator]().next(), SETUP_MS);
  if (next === LATE) throw new AppError('PROVIDER_TIMEOUT', 'the provider did not begin the session in time');
  const event = next.done ? undefined : parseJson(next.value);
  if (event?.type === type) return event;
  const detail = event?.type === 'error' ? String(toChild(event, 'error').code ?? '') : String(event?.type ?? '');
  throw new AppError('PROVIDER_ERROR', 'the provider did not begin the session', { detail: detail.slice(0, 100) });
}

async function readClient(session: RealtimeSession, incoming: AsyncIterator<OpenSessionRequest>): Promise<void> {
  try {
    for (;;) {
      const { value, done } = await incoming.next();
      if (done) break;
      if (value.item.case === 'event') await session.takeClient(Buffer.from(value.item.value).toString('utf8'));
      else if (value.item.case === 'end') session.drain();
    }
    await session.leave();
  } catch {
    await session.leave();
  }
}
