import { type IncomingHttpHeaders, type IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Principal } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { LATE, within } from '@tollgate/runtime';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Context } from '../../context.js';
import { revocableSubjects } from '../../domain/principal.js';
import type { Exchange, Matched } from '../exchange/exchange.js';
import { identify } from '../exchange/serve.js';
import { refuseNul, validate } from '../exchange/validate.js';
import { connectRealtime } from '../routes/realtime/connect-realtime.js';
import type { UpgradeListener } from '../server/server.js';
import { type BridgeParts, RealtimeBridge, Uplink } from './bridge.js';

/** Longest time until the vendor has started the session. */
const OPEN_MS = 30_000;
/** Longer than the longest session of inference: it ends first, with a reason. */
const SESSION_MS = 62 * 60_000;

type Opened = Omit<BridgeParts, 'socket' | 'connection'>;
type ToExchange = (req: IncomingMessage, res: ServerResponse, matched: Matched) => Exchange;

/**
 * Serves upgrades of `/v1/realtime`. Everything that can be refused is refused with a status before the socket is opened: the
 * session at the vendor has started when the client gets its 101.
 */
export function upgradeHandler(messageBytesMax: number, toExchange: ToExchange): UpgradeListener {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: messageBytesMax,
    handleProtocols: (offered) => (offered.has(REALTIME) ? REALTIME : false),
  });
  server.on('headers', (lines, req) => lines.push(...(ownHeaders.get(req) ?? [])));
  return (req, socket, head) => {
    // A client that leaves is noticed by 'close'.
    socket.on('error', () => undefined);
    void serveUpgrade(server, toExchange, { req, socket, head });
  };
}

/** Headers of the answer that opens a socket, as lines. */
const ownHeaders = new WeakMap<IncomingMessage, string[]>();

interface Upgrade {
  req: IncomingMessage;
  socket: Duplex;
  head: Buffer;
}

async function serveUpgrade(
  server: WebSocketServer,
  toExchange: ToExchange,
  { req, socket, head }: Upgrade,
): Promise<void> {
  takeCredential(req.headers);
  const res = new ServerResponse(req);
  res.shouldKeepAlive = false;
  res.assignSocket(req.socket);
  const exchange = toExchange(req, res, { params: {}, query: readQuery(req), path: connectRealtime.path });
  const { ctx } = exchange;
  let free: (() => void) | undefined;
  try {
    if (ctx.lifecycle.isDraining) throw new AppError('SERVICE_UNAVAILABLE', 'the service is stopping');
    await identify(exchange);
    free = ctx.realtimeSockets.take(exchange.principal!);
    const opened = await openSession(exchange);
    res.detachSocket(req.socket);
    if (socket.destroyed) return leave(opened, free);
    ownHeaders.set(req, toLines(exchange.reply.headers));
    let isCarried = false;
    server.handleUpgrade(req, socket, head, (ws) => {
      isCarried = true;
      void carry(exchange, ws, opened, free!);
    });
    // The library answers a bad handshake itself, and does not call back.
    if (!isCarried) leave(opened, free);
  } catch (error) {
    free?.();
    refuse(exchange, error);
  }
}

/** `headers` is a flat list. */
function toLines(headers: readonly string[]): string[] {
  return headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []));
}

function readQuery({ url = '' }: IncomingMessage): Record<string, string> {
  const at = url.indexOf('?');
  return at < 0 ? {} : Object.fromEntries(new URLSearchParams(url.slice(at + 1)));
}

/** @throws AppError when inference, the ledger or the vendor refuses */
async function openSession(exchange: Exchange): Promise<Opened> {
  const { ctx, matched, principal, req, audience } = exchange;
  refuseNul(matched);
  const { model } = validate(connectRealtime.query!, matched.query) as { model: string };
  exchange.record.model = ctx.catalog.find(model)?.model_id;
  const call = exchange.startCall(SESSION_MS);
  exchange.abortWhenClientLeaves(call);
  const uplink = new Uplink(ctx.bodies, principal!.accountId);
  uplink.push({ item: { case: 'start', value: { model } } });
  const downlink = ctx.clients.realtime.openSession(uplink.items, call)[Symbol.asyncIterator]();
  const first = await within(downlink.next(), OPEN_MS);
  if (first === LATE) {
    abandon(call, uplink);
    throw new AppError('RELAY_TIMEOUT', 'the session was not opened in time');
  }
  if (first.done) throw new AppError('INTERNAL_ERROR', 'internal error');
  exchange.done();
  const isRevoked = await revocation(ctx, req, principal!);
  return { call, uplink, downlink, principal: principal!, audience, isRevoked };
}

/** Returns a function that says whether the credential has been revoked since. */
async function revocation(
  ctx: Pick<Context, 'revocations' | 'tokens'>,
  { headers }: IncomingMessage,
  principal: Principal,
): Promise<() => boolean> {
  const { keyId, projectId, customerId } = principal;
  const token = (headers.authorization ?? '').replace(/^bearer +/i, '');
  const verified = keyId === '' ? await ctx.tokens.verify(token) : undefined;
  const subjects = [keyId, projectId, customerId].filter((id) => id !== '');
  if (verified) subjects.push(...revocableSubjects(verified.claims));
  return () => ctx.revocations.hasAny(subjects);
}

async function carry(exchange: Exchange, socket: WebSocket, opened: Opened, free: () => void): Promise<void> {
  const bridge = new RealtimeBridge({ ...opened, socket, connection: exchange.req.socket });
  const { ctx, record, ids, principal, route, startedMs } = exchange;
  ctx.realtimeSockets.add(bridge);
  ctx.requestMetrics.upgraded(route, startedMs);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await bridge.run();
  await closed;
  ctx.realtimeSockets.delete(bridge);
  free();
  record.requestBytes = bridge.receivedBytes;
  record.responseBytes = bridge.sentBytes;
  record.errorCode = bridge.error?.code;
  const end = { requestId: ids.requestId, method: 'GET', route: route.path, principal, status: 101 };
  record.log(ctx.requestLog, { ...end, isStream: true, hasClientLeft: false });
}

function leave(opened: Opened, free: () => void): void {
  abandon(opened.call, opened.uplink);
  void opened.downlink.return?.();
  free();
}

function abandon(call: Call, uplink: Uplink): void {
  call.abort(new AppError('RELAY_TIMEOUT', 'the client disconnected'));
  uplink.end();
}

function refuse(exchange: Exchange, error: unknown): void {
  const { ctx, res, req } = exchange;
  ctx.requestMetrics.follow(exchange);
  ctx.requestMetrics.refused(error);
  exchange.reply.addHeaders({ Connection: 'close' });
  res.once('finish', () => req.socket.end());
  exchange.reply.writeError(exchange.reply.renderError(error));
  exchange.served();
}

/** The subprotocol that clients of the Realtime API name. */
const REALTIME = 'realtime';
/** Browsers cannot set headers: OpenAI's library sends the credential as a subprotocol. Source: `realtime/websocket.ts`, 6.49. */
const CREDENTIAL_PREFIX = 'openai-insecure-api-key.';

/** Moves a credential from the subprotocols to the header that is read everywhere. A header wins. */
export function takeCredential(headers: IncomingHttpHeaders): void {
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const found = offered.find((name) => name.startsWith(CREDENTIAL_PREFIX));
  if (found === undefined || headers.authorization !== undefined) return;
  headers.authorization = `Bearer ${found.slice(CREDENTIAL_PREFIX.length)}`;
}
