import { randomUUID } from 'node:crypto';
import { elapsed } from '@tollgate/runtime';
import { openSecret } from '@tollgate/runtime/secret-box';
import type { Context } from '../../context.js';
import {
  type HookReply,
  type HookVerdict,
  type JudgedAnswer,
  judgeAnswer,
} from '../../domain/tool-hooks/hook-answer.js';
import { hookRequestBody, type ToolCall } from '../../domain/tool-hooks/tool-call.js';
import type { ToolHook, ToolHookEvent, ToolHookStatus } from '../../domain/tool-hooks/tool-hook.js';
import { signHookRequest } from '../../domain/webhooks/signature.js';

type AskHookContext = Pick<Context, 'clock' | 'keyring' | 'hooks' | 'logger'>;

const SHOWN_CHARACTERS_MAX = 8_192;

export interface Asked {
  /** Undefined when the caller disconnected before the hook answered. */
  verdict: HookVerdict | undefined;
  event: ToolHookEvent;
}

/** Sends one signed request about a call to a hook. Never throws; `event` is the entry for the log. */
export async function askHook(
  ctx: AskHookContext,
  hook: ToolHook,
  call: ToolCall,
  signal: AbortSignal,
): Promise<Asked> {
  const started = elapsed();
  const createdAt = ctx.clock.now();
  const reply = await send(ctx, hook, call, { timestamp: createdAt.toISOString(), signal });
  const latencyMs = Math.round(elapsed() - started);
  const body = reply.kind === 'answered' ? reply.body.toString('utf8') : '';
  const { verdict, note } = judgeReply(hook, call, reply, body);
  const event: ToolHookEvent = {
    id: randomUUID(),
    hookId: hook.id,
    requestId: call.requestId,
    toolCallId: call.toolCallId,
    status: toStatus(verdict),
    responseStatus: reply.kind === 'answered' ? reply.status : undefined,
    // PostgreSQL text cannot contain NUL.
    responseBody: body.slice(0, SHOWN_CHARACTERS_MAX).replaceAll('\0', '\uFFFD'),
    latencyMs,
    error: toError(verdict) ?? note,
    createdAt,
  };
  logCall(ctx, hook, call, event);
  return { verdict, event };
}

async function send(
  ctx: Pick<Context, 'keyring' | 'hooks' | 'logger'>,
  hook: ToolHook,
  call: ToolCall,
  { timestamp, signal }: { timestamp: string; signal: AbortSignal },
): Promise<HookReply> {
  let secret: string;
  try {
    secret = openSecret(ctx.keyring, hook.secret, hook.id);
  } catch (err) {
    ctx.logger.error({ err, tool_hook_id: hook.id }, 'signing secret not opened');
    return { kind: 'unreachable', error: 'the signing secret could not be read', isTimeout: false, isRetryable: true };
  }
  const body = hookRequestBody(call, timestamp);
  return await ctx.hooks.ask({
    url: hook.endpointUrl,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Tollgate/1.0 (tool hooks)',
      ...(call.traceparent !== undefined && { traceparent: call.traceparent }),
      'x-service-timestamp': timestamp,
      'x-service-signature': signHookRequest(secret, timestamp, body),
    },
    body,
    timeoutMs: hook.timeoutMs,
    signal,
  });
}

function judgeReply(
  hook: ToolHook,
  call: ToolCall,
  reply: HookReply,
  body: string,
): Omit<JudgedAnswer, 'verdict'> & { verdict: HookVerdict | undefined } {
  if (reply.kind === 'canceled') return { verdict: undefined };
  if (reply.kind === 'answered') return judgeAnswer(hook, call.toolName, reply.status, body);
  const { error, isTimeout, isRetryable } = reply;
  return { verdict: { kind: 'failed', error, isTimeout, isRetryable } };
}

function toStatus(verdict: HookVerdict | undefined): ToolHookStatus {
  if (verdict === undefined) return 'error';
  if (verdict.kind === 'failed') return verdict.isTimeout ? 'timeout' : 'error';
  return verdict.kind === 'block' ? 'blocked' : 'success';
}

function toError(verdict: HookVerdict | undefined): string | undefined {
  if (verdict === undefined) return 'the request ended before the hook answered';
  const error = verdict.kind === 'failed' || verdict.kind === 'block' ? verdict.error : undefined;
  return error?.replaceAll('\0', '\uFFFD');
}

/** Omits the call's contents and the URL's path and query, which may hold secrets. */
function logCall(ctx: Pick<Context, 'logger'>, hook: ToolHook, call: ToolCall, event: ToolHookEvent): void {
  ctx.logger.info(
    {
      project_id: hook.projectId,
      tool_hook_id: hook.id,
      hook_type: hook.hookType,
      endpoint_host: new URL(hook.endpointUrl).host,
      request_id: call.requestId,
      tool_call_id: call.toolCallId,
      tool: call.toolName,
      status: event.status,
      response_status: event.responseStatus,
      latency_ms: event.latencyMs,
      ...(event.error !== undefined && { error: event.error }),
    },
    'tool hook call',
  );
}
