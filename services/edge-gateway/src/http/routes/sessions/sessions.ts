import {
  appendSessionMessageBody,
  createSessionBody,
  listSessionsQuery,
  listSessionsResponse,
  sessionMessageSchema,
  sessionSchema,
  sessionWithMessagesSchema,
  updateSessionBody,
} from '@tollgate/api/state';
import type { Session, SessionMessage } from '@tollgate/contracts/agents/v1/sessions_pb.js';
import { type Principal, PrincipalKind } from '@tollgate/contracts/common/v1/principal_pb.js';
import { AppError } from '@tollgate/errors';
import { parseExactJson } from '@tollgate/runtime';
import { z } from 'zod';
import type { Context } from '../../../context.js';
import { readMember } from '../../../domain/json-members.js';
import { defineRoute } from '../../exchange/route.js';
import { customerListRoute } from '../list-route.js';
import { toJson } from '../to-json.js';

const sessionParams = z.object({ id: z.string() });

export const createSession = defineRoute({
  method: 'POST',
  path: '/sessions',
  tag: 'Sessions',
  summary: 'Create a session for messages, metadata, and the state of the key-value and task tools',
  operationId: 'createSession',
  description:
    'Name the session in model requests and runs. With a secret key, `customer_id` makes it a customer’s session.',
  auth: ['secret_key', 'owner', 'customer'],
  body: createSessionBody,
  bodyClass: 'documents',
  success: { status: 201, schema: sessionSchema },
  idempotent: true,
  async handler({ body, rawBody, call, principal }, ctx) {
    const customerId = body.customer_id?.toLowerCase() ?? '';
    if (customerId !== '') await requireCustomer(ctx, principal, customerId);
    const request = { customerId, metadataJson: body.metadata ? readMember(rawBody, 'metadata') : '{}' };
    const { session } = await ctx.clients.sessions.createSession(request, call);
    return { status: 201, body: sessionJson(session) };
  },
});

/** The registry checks that a customer names only itself. @throws AppError NOT_FOUND */
async function requireCustomer(
  ctx: Pick<Context, 'customers'>,
  principal: Principal,
  customerId: string,
): Promise<void> {
  if (principal.kind === PrincipalKind.CUSTOMER) return;
  if (!(await ctx.customers.find(principal, customerId))) throw new AppError('NOT_FOUND', 'customer not found');
}

export const listSessions = customerListRoute({
  path: '/sessions',
  tag: 'Sessions',
  summary: 'List sessions without their messages, newest first',
  operationId: 'listSessions',
  description: 'Returns the sessions of the project, or of the customer of the token.',
  query: listSessionsQuery,
  response: listSessionsResponse,
  field: 'sessions',
  async read(page, call, { clients }) {
    const { sessions, hasMore } = await clients.sessions.listSessions(page, call);
    return { rows: sessions.map(sessionJson), hasMore };
  },
});

export const getSession = defineRoute({
  method: 'GET',
  path: '/sessions/:id',
  tag: 'Sessions',
  summary: 'Get a session with its messages, oldest first',
  operationId: 'getSession',
  description: 'Returns metadata and messages.',
  auth: ['secret_key', 'owner', 'customer'],
  params: sessionParams,
  success: { status: 200, schema: sessionWithMessagesSchema },
  async handler({ params, call }, ctx) {
    const { session, messages } = await ctx.clients.sessions.getSession({ id: params.id }, call);
    return { body: { ...sessionJson(session), messages: messages.map(sessionMessageJson) } };
  },
});

export const updateSession = defineRoute({
  method: 'PATCH',
  path: '/sessions/:id',
  tag: 'Sessions',
  summary: 'Merge metadata into a session; null removes a key',
  operationId: 'updateSession',
  description: 'Members that are not named keep their values.',
  auth: ['secret_key', 'owner', 'customer'],
  params: sessionParams,
  body: updateSessionBody,
  bodyClass: 'documents',
  success: { status: 200, schema: sessionSchema },
  async handler({ params, rawBody, call }, ctx) {
    const request = { id: params.id, metadataJson: readMember(rawBody, 'metadata') };
    const { session } = await ctx.clients.sessions.updateSession(request, call);
    return { body: sessionJson(session) };
  },
});

export const appendSessionMessage = defineRoute({
  method: 'POST',
  path: '/sessions/:id/messages',
  tag: 'Sessions',
  summary: 'Append a message to a session',
  operationId: 'appendSessionMessage',
  description: 'Messages keep the order in which they are appended.',
  auth: ['secret_key', 'owner', 'customer'],
  params: sessionParams,
  body: appendSessionMessageBody,
  bodyClass: 'documents',
  success: { status: 201, schema: sessionMessageSchema },
  idempotent: true,
  async handler({ params, body, rawBody, call }, ctx) {
    const { role, run_id } = body;
    const request = { id: params.id, role, contentJson: readMember(rawBody, 'content'), runId: run_id ?? '' };
    const { message } = await ctx.clients.sessions.appendSessionMessage(request, call);
    return { status: 201, body: sessionMessageJson(message) };
  },
});

export const clearSession = defineRoute({
  method: 'POST',
  path: '/sessions/:id/clear',
  tag: 'Sessions',
  summary: 'Delete all messages of a session; keeps metadata and tool state',
  operationId: 'clearSession',
  description: 'The session itself remains.',
  auth: ['secret_key', 'owner', 'customer'],
  params: sessionParams,
  success: { status: 200, schema: sessionSchema },
  async handler({ params, call }, ctx) {
    const { session } = await ctx.clients.sessions.clearSession({ id: params.id }, call);
    return { body: sessionJson(session) };
  },
});

export const deleteSession = defineRoute({
  method: 'DELETE',
  path: '/sessions/:id',
  tag: 'Sessions',
  summary: 'Delete a session with its messages',
  operationId: 'deleteSession',
  description: 'This cannot be undone.',
  auth: ['secret_key'],
  params: sessionParams,
  success: { status: 204 },
  async handler({ params, call }, ctx) {
    await ctx.clients.sessions.deleteSession({ id: params.id }, call);
    return { status: 204 };
  },
});

function sessionJson(session: Session | undefined) {
  return toJson(sessionSchema, session!, { metadata: parseExactJson(session!.metadataJson) });
}

function sessionMessageJson(message: SessionMessage | undefined) {
  return toJson(sessionMessageSchema, message!, { content: parseExactJson(message!.contentJson) });
}
