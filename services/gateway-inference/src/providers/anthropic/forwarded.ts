import type { IncomingHttpHeaders } from 'node:http';
import { cacheLifetimes, isCustomTool, type MessagesTool, toolKind } from '@tollgate/api/compatible';
import type { ProviderId } from '@tollgate/api/model-requests';
import { FETCHED_TOKENS_MAX, PROVIDER_FETCHES_MAX, PROVIDER_SEARCHES_MAX } from '@tollgate/catalog';
import { AppError } from '@tollgate/errors';
import { isJsonObject, type JsonObject } from '@tollgate/runtime';
import type { ModelAnswer } from '../../domain/model-answer.js';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelCall, ModelListener } from '../contract/provider.js';
import type { StreamEnd, VendorEvents, Wire } from '../contract/wire.js';
import { filterObjects, parseObject, textOrUndefined } from '../convert/answer-reading.js';
import { replaceMember } from '../convert/replace-member.js';
import { thinkingBudget } from '../convert/thinking-budget.js';
import { isCodeRun, StreamedMessage, toStopReason, toTokenUsage, withCodeRuns } from './messages-answer.js';
import { toFailure, toStreamFailure } from './upstream-error.js';

/** Smallest thinking budget that the vendor accepts. */
const THINKING_TOKENS_MIN = 1_024;

/**
 * Returns the client's own body with the decisions of admission. @throws AppError for options without a price
 *
 * Source: MessageCreateParams of `@anthropic-ai/sdk` 1.12.
 */
export function forwardedMessagesRequest(call: ModelCall, client: Readonly<JsonObject>): JsonObject {
  refuseUnpricedCaching(call, client);
  const bound = call.maxOutputTokens;
  const body: JsonObject = { ...withoutDisabled(client), model: call.upstreamModel, max_tokens: bound };
  if (Array.isArray(client.tools)) body.tools = client.tools.map(boundUses);
  const thinking = thinkingWithin(client, bound);
  if (thinking) body.thinking = thinking;
  else delete body.thinking;
  return withoutNulls(body);
}

/** Reduces the thinking budget if the hold bounds the answer below the client's bound. */
function thinkingWithin({ thinking, max_tokens: asked }: Readonly<JsonObject>, bound: number): JsonObject | undefined {
  if (!isJsonObject(thinking)) return undefined;
  const { type, budget_tokens: budget } = thinking;
  const isCut = typeof asked === 'number' && bound < asked;
  if (type !== 'enabled' || typeof budget !== 'number' || !isCut) return thinking;
  const left = thinkingBudget(budget, bound);
  return left >= THINKING_TOKENS_MIN ? { ...thinking, budget_tokens: left } : { type: 'disabled' };
}

/** Removes null members: our schema accepts them as absent, the vendor does not. */
function withoutNulls(body: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== null));
}

/** Bounds the uses of tools that the vendor runs by what the hold covers. */
function boundUses(tool: MessagesTool): JsonObject {
  if (isCustomTool(tool)) return tool;
  switch (toolKind(tool.type)) {
    case 'search':
      return { ...tool, max_uses: smaller(tool.max_uses, PROVIDER_SEARCHES_MAX) };
    case 'fetch': {
      const tokens = smaller(tool.max_content_tokens, FETCHED_TOKENS_MAX);
      return { ...tool, max_uses: smaller(tool.max_uses, PROVIDER_FETCHES_MAX), max_content_tokens: tokens };
    }
    default:
      return tool;
  }
}

function smaller(asked: number | null | undefined, bound: number): number {
  return Math.min(asked ?? bound, bound);
}

/** Rejects lifetimes of the cache that have no price. */
function refuseUnpricedCaching({ forward }: ModelCall, client: Readonly<JsonObject>): void {
  for (const lifetime of cacheLifetimes(client)) {
    if (lifetime === '5m' || (lifetime === '1h' && forward?.hasHourCache)) continue;
    const message = `prompts cannot be cached for ${String(lifetime)}: this lifetime has no price in the catalog`;
    throw new AppError('MODEL_CAPABILITY_UNSUPPORTED', message, { fields: [{ field: 'cache_control.ttl', message }] });
  }
}

/**
 * Features that a client may enable by `anthropic-beta`: they cost only tokens or have a price in the catalog, and store nothing
 * at the vendor. A feature has a name and the date of its version. Others are not forwarded: the schema or the vendor rejects the
 * members of the body that they would add, or `withoutDisabled` removes them, so header and body agree.
 *
 * Source: AnthropicBeta of `@anthropic-ai/sdk` 1.12; platform.claude.com/docs/en/api/beta-headers; requests of
 * `@anthropic-ai/claude-code` 2.1.330.
 */
const forwarded = new Set([
  'advanced-tool-use',
  'claude-code',
  'computer-use',
  'context-management',
  'effort',
  'extended-cache-ttl',
  'fine-grained-tool-streaming',
  'inline-tools',
  'interleaved-thinking',
  'mid-conversation-output-config',
  'mid-conversation-system',
  'mid-conversation-system-clear-at',
  'mid-conversation-tool-changes',
  'model-context-window-exceeded',
  'output-128k',
  'output-300k',
  'pdfs',
  'per-turn-control',
  'prompt-caching',
  'prompt-caching-scope',
  'redact-thinking',
  'structured-outputs',
  'task-budgets',
  'thinking-binding-controls',
  'thinking-display-updates',
  'thinking-token-count',
  'token-counting',
  'token-efficient-tools',
  'tool-examples',
  'tool-search-tool',
  'web-fetch',
  'web-search',
]);

/** Members that only serve a feature which is not forwarded, and that change no answer. */
const disabledMembers = ['context_hint', 'tags'];

/** The date of a version: `2026-07-01`, or `20260701` in older names. */
const VERSION = /-\d{4}-?\d{2}-?\d{2}$/;

/** Returns the features that a request is forwarded with. */
export function listForwarded(betas: readonly string[]): string[] {
  return [...new Set(betas)].filter((name) => VERSION.test(name) && forwarded.has(name.replace(VERSION, '')));
}

/** Returns the header of a forwarded request, as a flat list. */
export function betaHeader(betas: readonly string[]): string[] {
  const passed = listForwarded(betas);
  return passed.length === 0 ? [] : ['anthropic-beta', passed.join(',')];
}

/** Returns the body without the members of features that are not forwarded. */
function withoutDisabled(body: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const kept = { ...body };
  for (const member of disabledMembers) delete kept[member];
  return kept;
}

/** Passes answers of the Messages API through to a client that speaks it, and reads only what settling needs. */
export class ForwardedMessagesWire implements Wire {
  readonly provider: ProviderId;
  readonly #modelName: string;

  /** The client's name of the model; answers carry it. */
  constructor(provider: ProviderId, modelName: string) {
    this.provider = provider;
    this.#modelName = modelName;
  }

  readAnswer(body: object, text: string): ModelAnswer | undefined {
    const { content, id, stop_reason: reason, usage } = body as JsonObject;
    if (!Array.isArray(content)) return undefined;
    const blocks = filterObjects(content);
    return {
      responseId: textOrUndefined(id) ?? '',
      stopReason: toStopReason(textOrUndefined(reason) ?? 'stop'),
      text: blocks.map(readOutput).join(''),
      toolCalls: [],
      usage: withCodeRuns(toTokenUsage(usage), blocks),
      forwarded: Buffer.from(replaceMember(text, ['model'], this.#modelName) ?? text),
    };
  }

  openEvents(listener: ModelListener, end: StreamEnd): VendorEvents {
    return new ForwardedMessageEvents(this.#modelName, listener, end);
  }

  readFailure(status: number, headers: IncomingHttpHeaders, text: string): ProviderFailure {
    return toFailure(this.provider, status, headers, text);
  }

  readLateFailure(body: object, providerRequestId: string | undefined): ProviderFailure {
    return toStreamFailure(this.provider, body, providerRequestId);
  }
}

/** Returns the output of a block or item, for an estimate if the provider reports no usage. */
function readOutput({ type, text, thinking, name, input }: JsonObject): string {
  if (type === 'tool_use') return `${textOrUndefined(name) ?? ''}${JSON.stringify(input ?? {})}`;
  return textOrUndefined(text) ?? textOrUndefined(thinking) ?? '';
}

/**
 * Passes the events of a streamed message through unchanged except for the model's name, and reads what settling needs.
 * Holds the first events until the first block: an overloaded provider reports that after them, and another route may
 * answer then.
 */
class ForwardedMessageEvents implements VendorEvents {
  readonly #modelName: string;
  readonly #listener: ModelListener;
  readonly #end: StreamEnd;
  /** Events before the first block; undefined once they have left. */
  #head: { data: string; name: string }[] | undefined = [];
  readonly #message: StreamedMessage;
  readonly #codeRuns: JsonObject[] = [];

  constructor(modelName: string, listener: ModelListener, end: StreamEnd) {
    this.#modelName = modelName;
    this.#listener = listener;
    this.#end = end;
    this.#message = new StreamedMessage(listener);
  }

  get hasStopped(): boolean {
    return this.#message.stopReason !== undefined;
  }

  /** A stream with a stop reason is complete even without `message_stop`. */
  finish(): ModelAnswer | undefined {
    return this.#message.stopReason === undefined ? undefined : this.#answer();
  }

  receive(data: string, name: string | undefined): void {
    const event = parseObject(data);
    const type = textOrUndefined(event?.type);
    if (!event || type === undefined) {
      this.#end.failUnreadable();
      return;
    }
    switch (type) {
      case 'message_start':
        this.#open(data, event.message);
        break;
      case 'message_delta':
        this.#message.finish(event);
        this.#pass(data, name ?? type, '', this.#message.stopReason !== undefined);
        break;
      case 'message_stop':
        this.#message.stop();
        this.#pass(data, name ?? type, '', true);
        this.#end.answer(this.#answer());
        break;
      case 'error':
        this.#end.fail(toStreamFailure(this.#end.provider, event, this.#end.providerRequestId));
        break;
      default:
        if (type === 'ping' && this.#head) this.#head.push({ data, name: name ?? type });
        else this.#pass(data, name ?? type, this.#readText(event), this.#message.stopReason !== undefined);
    }
  }

  #open(data: string, message: unknown): void {
    if (!isJsonObject(message)) {
      this.#end.failUnreadable();
      return;
    }
    this.#message.start(message);
    const named = replaceMember(data, ['message', 'model'], this.#modelName) ?? data;
    this.#head?.push({ data: named, name: 'message_start' });
  }

  #pass(data: string, name: string, text: string, isLast: boolean): void {
    const head = this.#head;
    if (head) {
      this.#head = undefined;
      for (const event of head) this.#listener.onForward(event.data, '', false, event.name);
    }
    if (text !== '') this.#message.reportFirstUsage();
    this.#listener.onForward(data, text, isLast, name);
  }

  /** The output that an event adds, thinking and arguments included. */
  #readText({ type, content_block: block, delta }: JsonObject): string {
    if (type === 'content_block_start' && isJsonObject(block)) {
      if (isCodeRun(block)) this.#codeRuns.push(block);
      return textOrUndefined(block.name) ?? textOrUndefined(block.text) ?? '';
    }
    if (type !== 'content_block_delta' || !isJsonObject(delta)) return '';
    return textOrUndefined(delta.text) ?? textOrUndefined(delta.thinking) ?? textOrUndefined(delta.partial_json) ?? '';
  }

  #answer(): ModelAnswer {
    return {
      responseId: this.#message.responseId,
      stopReason: toStopReason(this.#message.stopReason ?? 'stop'),
      text: '',
      toolCalls: [],
      usage: withCodeRuns(this.#message.usage, this.#codeRuns),
    };
  }
}
