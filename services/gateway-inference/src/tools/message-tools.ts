import { timestampDate } from '@bufbuild/protobuf/wkt';
import { readAgentSlug } from '@tollgate/api/state';
import type { AgentService } from '@tollgate/contracts/agents/v1/agents_pb.js';
import type { Message, MessagingService } from '@tollgate/contracts/messaging/v1/messaging_pb.js';
import { AppError } from '@tollgate/errors';
import type { Client } from '@tollgate/rpc';
import { parseExactJson, writeExactJson } from '@tollgate/runtime';
import type { ToolArguments } from '@tollgate/tools';
import type { ToolOutcome } from '../domain/turn-tools.js';
import type { ToolRun } from './tool-run.js';

export interface MessageContext {
  agents: Client<typeof AgentService>;
  messaging: Client<typeof MessagingService>;
}

const SUBJECT_CHARS_MAX = 1_000;

/** `message_send`: sends a message from the caller's address. A repeated call sends it once. */
export async function sendMessage(
  { agents, messaging }: MessageContext,
  { to, subject, body, thread_id = '' }: ToolArguments<'message_send'>,
  run: ToolRun,
): Promise<ToolOutcome> {
  // Messaging does not know agents, and a message to a misspelled one would never be read.
  const slug = readAgentSlug(to);
  if (slug !== undefined) await agents.resolveAgent({ by: { case: 'reference', value: slug } }, run.call);
  const request = {
    to,
    from: ownAddress(run),
    subject,
    bodyJson: writeExactJson(body),
    threadId: thread_id,
    runs: ownRuns(run),
    dedupeKey: dedupeKey(run),
  };
  const { message } = await messaging.sendMessage(request, run.call);
  return { output: sent(message) };
}

/** `message_inbox`: returns the oldest unread messages in the caller's mailbox and marks them as read. */
export async function readInbox(
  { messaging }: MessageContext,
  { limit }: ToolArguments<'message_inbox'>,
  run: ToolRun,
): Promise<ToolOutcome> {
  const request = { address: ownAddress(run), limit, runs: ownRuns(run), dedupeKey: dedupeKey(run) };
  const { messages } = await messaging.readInbox(request, run.call);
  return { output: { messages: messages.map(toRecord) } };
}

/** `message_reply`: replies to the sender, in the same thread. */
export async function replyToMessage(
  { messaging }: MessageContext,
  { message_id, body, subject }: ToolArguments<'message_reply'>,
  run: ToolRun,
): Promise<ToolOutcome> {
  const { message: answered } = await messaging.getMessage({ id: message_id }, run.call);
  if (!answered) throw new AppError('NOT_FOUND', 'message not found');
  const request = {
    to: answered.from,
    from: ownAddress(run),
    subject: (subject ?? replySubject(answered.subject)).slice(0, SUBJECT_CHARS_MAX),
    bodyJson: writeExactJson(body),
    threadId: answered.threadId,
    runs: ownRuns(run),
    dedupeKey: dedupeKey(run),
  };
  const { message } = await messaging.sendMessage(request, run.call);
  return { output: sent(message) };
}

/** Returns the caller's address: the agent's, which outlives its runs; the run's, if it has no agent; otherwise the API's. */
function ownAddress({ agent, runId, call }: ToolRun): string {
  const { projectId } = call.requirePrincipal();
  if (agent) return `agent:${agent.slug}@${projectId}`;
  return runId === undefined ? `agent:api@${projectId}` : `run:${runId}`;
}

/** The caller that passes a run's id has started it for this principal. */
function ownRuns({ runId, call }: ToolRun): { runId: string; customerId: string }[] {
  return runId === undefined ? [] : [{ runId, customerId: call.requirePrincipal().customerId }];
}

function dedupeKey({ holdId, toolCallId }: ToolRun): string {
  return `${holdId}/${toolCallId}`;
}

function replySubject(subject: string): string {
  return /^re:/i.test(subject) ? subject : `Re: ${subject}`;
}

function sent(message: Message | undefined): object {
  return { ok: true, message_id: message?.id, thread_id: message?.threadId };
}

function toRecord({ id, customerId, from, to, subject, bodyJson, threadId, createdAt }: Message): object {
  return {
    id,
    ...(customerId ? { customer_id: customerId } : {}),
    from,
    to,
    subject,
    body: parseExactJson(bodyJson),
    thread_id: threadId,
    ...(createdAt ? { created_at: timestampDate(createdAt).toISOString() } : {}),
  };
}
