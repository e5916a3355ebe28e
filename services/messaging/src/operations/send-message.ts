import { randomUUID } from 'node:crypto';
import { AppError } from '@tollgate/errors';
import type { Context } from '../context.js';
import { apiAddress, formatAddress } from '../domain/address.js';
import { BODY_BYTES_MAX, contentFault } from '../domain/content.js';
import { type DeliveryRefusal, decideDelivery } from '../domain/delivery.js';
import type { Message } from '../domain/message.js';
import type { RunOwners, Scope } from '../domain/scope.js';
import { insertMessage } from '../store/messages.js';
import { readAddress } from './read-address.js';
import { requireThread } from './require-thread.js';

/** How long a repeated call returns the message of the first one. */
const DEDUPE_MS = 24 * 3_600_000;

export interface SendMessageCommand {
  to: string;
  from: string | undefined;
  subject: string;
  bodyJson: string;
  threadId: string | undefined;
  runs: RunOwners;
  dedupeKey: string | undefined;
}

/** @throws AppError NOT_FOUND for an address or thread outside the scope, CONFLICT for a key of another scope */
export async function sendMessage(
  ctx: Pick<Context, 'clock' | 'pool'>,
  scope: Scope,
  command: SendMessageCommand,
): Promise<Message> {
  const { runs, subject, bodyJson, dedupeKey } = command;
  const to = readAddress(command.to, 'to');
  const from = command.from === undefined ? apiAddress(scope.projectId) : readAddress(command.from, 'from');
  checkContent(subject, bodyJson);
  const thread = command.threadId === undefined ? undefined : await requireThread(ctx, scope, command.threadId);
  const decision = decideDelivery({ scope, to, from, runs, threadCustomerId: thread?.customerId });
  if (!decision.ok) throw toError(decision.refusal);
  const id = randomUUID();
  const createdAt = ctx.clock.now();
  const message: Message = {
    id,
    projectId: scope.projectId,
    customerId: decision.customerId,
    from: formatAddress(from),
    to: formatAddress(to),
    subject,
    bodyJson,
    threadId: thread?.threadId ?? id,
    readAt: undefined,
    createdAt,
  };
  const since = new Date(createdAt.getTime() - DEDUPE_MS);
  const sent = await insertMessage(ctx.pool, message, dedupeKey === undefined ? undefined : { key: dedupeKey, since });
  if (sent.customerId !== message.customerId) throw new AppError('CONFLICT', 'the dedupe key is in use elsewhere');
  return sent;
}

function toError(refusal: DeliveryRefusal): AppError {
  if (refusal !== 'sender_forbidden') return new AppError('NOT_FOUND', refusal.replaceAll('_', ' '));
  return new AppError('FORBIDDEN', 'a customer may send only from its own runs and from agent:api@<project_id>');
}

function checkContent(subject: string, bodyJson: string): void {
  const fault = contentFault(subject, bodyJson);
  if (!fault) return;
  if (fault.kind === 'too_large') {
    throw new AppError('PAYLOAD_TOO_LARGE', `the body of a message may have at most ${BODY_BYTES_MAX} bytes`);
  }
  const { field, message } = fault;
  throw new AppError('VALIDATION_ERROR', `${field}: ${message}`, { fields: [{ field, message }] });
}
