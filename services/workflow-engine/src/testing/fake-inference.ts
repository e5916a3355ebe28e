import type { MessageInitShape } from '@bufbuild/protobuf';
import type { ResponsesBody } from '@tollgate/api/model-requests';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import {
  type ChargeSchema,
  Dialect,
  type GenerateRequest,
  InferenceService,
} from '@tollgate/contracts/inference/v1/inference_pb.js';
import {
  type ReadHistoryRequest,
  StoredResponseService,
} from '@tollgate/contracts/inference/v1/stored_responses_pb.js';
import type { AppError } from '@tollgate/errors';
import { type Call, type Network, type Registration, register } from '@tollgate/rpc';

export interface FakeReply {
  /** Default: the last user text. */
  text?: string;
  /** Waits for this before it answers; an abort ends the wait. */
  gate?: Promise<void>;
  /** Waits for this between the first piece of text and the rest. */
  gateAfterFirst?: Promise<void>;
  /** Waits for this between an answer and its last frame, which follows the settlement. */
  settlementGate?: Promise<void>;
  /** Thrown after an answer instead of its last frame. */
  settlementError?: AppError;
  toolCalls?: { id: string; name: string; arguments: string }[];
  /** Thrown before the first frame. */
  error?: AppError;
  /** Thrown after the first piece, when the usage up to then is settled. */
  errorAfterFirst?: AppError;
  /** Sent as the stream's error event after the first piece. */
  errorEvent?: { code: string; message: string; retryable?: boolean };
  /** Whether the answer of a response is not stored. */
  isUnstored?: boolean;
  /** Whether the turn ends before the ledger has acknowledged it; settling continues in the background. */
  isUnsettled?: boolean;
}

export interface FakeCall {
  holdId: string;
  request: GenerateRequest;
  body: ResponsesBody;
  prompt: string;
  isAborted: boolean;
  isDone: boolean;
}

/** Key of everything that is stored. */
export const HISTORY_KEY = '77777777-7777-4777-8777-777777777777';

/** Returns the tokens of a text. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}

/** Makes model calls like inference: native stream events, settled before the end is sent, with a journal. */
export class FakeInference {
  readonly calls: FakeCall[] = [];
  reply: (call: FakeCall) => FakeReply = () => ({});
  readonly #network: Network;

  constructor(network: Network) {
    this.#network = network;
  }

  /** Holds of attempts whose stored responses were discarded. */
  readonly discarded: string[] = [];
  /** Thrown instead of discarding. */
  discardError: AppError | undefined;
  discardsRefused = 0;

  /** Returns the items of a stored response or conversation; undefined if it does not exist for the caller. */
  history: (id: string, call: Call) => object[] | undefined = () => undefined;

  storedResponses(): Registration {
    const discardAttempt = async ({ holdId }: { holdId: string }) => {
      if (this.discardError) {
        this.discardsRefused += 1;
        throw this.discardError;
      }
      this.discarded.push(holdId);
      return {};
    };
    const readHistory = async (req: ReadHistoryRequest, call: Call) => this.#readHistory(req, call);
    return { service: StoredResponseService, handlers: { discardAttempt, readHistory } };
  }

  #readHistory({ previousResponseId, conversationId, itemIds }: ReadHistoryRequest, call: Call) {
    const items = this.history(previousResponseId || conversationId, call);
    const referenced = itemIds.flatMap((id) => {
      const [item] = this.history(id, call) ?? [];
      return item ? [{ id, itemJson: Buffer.from(JSON.stringify(item)) }] : [];
    });
    return {
      hasPrevious: previousResponseId !== '' && items !== undefined,
      previousKey: items && previousResponseId ? HISTORY_KEY : '',
      hasConversation: conversationId !== '' && items !== undefined,
      conversationKey: items && conversationId ? HISTORY_KEY : '',
      itemsJson: Buffer.from(JSON.stringify(items ?? [])),
      referenced,
    };
  }

  registration(): Registration {
    return register(InferenceService, {
      generate: (req, call) => this.#generate(req, call),
      listRoutes: async () => ({ routes: [] }),
      listModels: async () => ({ modelsJson: Buffer.from('[]') }),
      testConnection: async () => ({ succeeded: true }),
    });
  }

  async *#generate(request: GenerateRequest, call: Call) {
    const body = JSON.parse(Buffer.from(request.body).toString()) as ResponsesBody;
    const entry: FakeCall = {
      holdId: call.requestId,
      request,
      body,
      prompt: readPrompt(body),
      isAborted: false,
      isDone: false,
    };
    this.calls.push(entry);
    const reply = this.reply(entry);
    if (reply.error) {
      // A transient error simulates a dependency that became unavailable during the call.
      if (!reply.error.retryable) await this.#settle(call, '', '');
      throw reply.error;
    }
    const text = reply.text ?? entry.prompt;
    const pieces = text.match(/.{1,4}/gs) ?? [];
    let sent = '';
    try {
      await unlessAborted(reply.gate, call);
      for (const event of startStream(request)) yield this.#frame(event, { model: request.modelId, provider: 'fake' });
      for (const [index, piece] of pieces.entries()) {
        if (index === 1) await unlessAborted(reply.gateAfterFirst, call);
        sent += piece;
        if (request.stream) yield this.#frame(toPiece(request, piece));
        if (reply.errorEvent || reply.errorAfterFirst) break;
      }
      const settling = this.#settle(call, entry.prompt, sent);
      settling.catch(() => undefined); // reported below
      const { usage, ...answer } = this.#last(entry, reply, sent, call);
      const isEarly = request.answersBeforeSettlement && !reply.errorEvent && !reply.errorAfterFirst;
      if (isEarly) yield answer;
      await unlessAborted(reply.settlementGate, call);
      if (reply.settlementError) throw reply.settlementError;
      const charge = reply.isUnsettled ? undefined : await settling;
      if (reply.errorAfterFirst) throw reply.errorAfterFirst;
      yield { ...(isEarly ? {} : answer), usage, ...(charge && { charge }) };
      entry.isDone = true;
    } catch (error) {
      entry.isAborted = true;
      await this.#settle(call, entry.prompt, sent);
      throw error;
    }
  }

  #frame(event: object, head: { model?: string; provider?: string } = {}) {
    return { data: Buffer.from(JSON.stringify(event)), ...head };
  }

  #last(entry: FakeCall, reply: FakeReply, text: string, call: Call) {
    const usage = { inputTokens: BigInt(countTokens(entry.prompt)), outputTokens: BigInt(countTokens(text)) };
    const head = { model: entry.request.modelId, provider: 'fake' };
    const facts = {
      model: entry.request.modelId,
      provider: 'fake',
      stop_reason: reply.toolCalls ? 'tool_use' : 'stop',
      usage: usageJson(entry.prompt, text),
    };
    const toolCalls = reply.toolCalls?.map(({ id, ...fn }) => ({ id, type: 'function', function: fn }));
    const tools = toolCalls && { tool_calls: toolCalls };
    if (reply.errorEvent) return { ...this.#frame({ type: 'error', ...reply.errorEvent }), usage };
    if (entry.request.dialect === Dialect.OPENAI_CHAT)
      return { ...this.#frame(toCompletion(entry, text), head), usage };
    if (entry.request.dialect === Dialect.OPENAI_RESPONSES) {
      const id = reply.isUnstored ? `resp_${call.requestId}` : entry.request.storage?.backgroundId;
      const response = {
        id,
        status: 'completed',
        store: !reply.isUnstored,
        output: [{ type: 'message', content: text }],
      };
      const isStream = entry.request.stream;
      return { ...this.#frame(isStream ? { type: 'response.completed', response } : response, head), usage };
    }
    if (entry.request.stream) {
      const id = { request_id: call.requestId, response_id: `resp_${call.requestId}` };
      return { ...this.#frame({ type: 'completion', ...id, content: text, ...tools, ...facts }), usage };
    }
    const message = { type: 'message', role: 'assistant', content: [{ type: 'text', text }], ...tools };
    return { ...this.#frame({ id: `resp_${call.requestId}`, output: [message], ...facts }, head), usage };
  }

  async #settle(call: Call, prompt: string, text: string): Promise<MessageInitShape<typeof ChargeSchema>> {
    const usage = { inputTokens: BigInt(countTokens(prompt)), outputTokens: BigInt(countTokens(text)) };
    const billing = this.#network.client(BillingService);
    const { customerMicrocents, ownerMicrocents } = await billing.settle(
      { holdId: call.requestId, usage },
      call.detached(1_000),
    );
    return { customerMicrocents, ownerMicrocents };
  }
}

function usageJson(prompt: string, text: string) {
  const input = countTokens(prompt);
  const output = countTokens(text);
  return { input_tokens: input, output_tokens: output, total_tokens: input + output };
}

/** Returns the events before the first piece of text. */
function startStream({ dialect, stream, storage }: GenerateRequest): object[] {
  if (!stream) return [];
  if (dialect !== Dialect.OPENAI_RESPONSES) return [{ type: 'start' }];
  const response = { id: storage?.backgroundId, status: 'in_progress', output: [] };
  return [
    { type: 'response.created', response },
    { type: 'response.in_progress', response },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message' } },
  ];
}

function toPiece({ dialect }: GenerateRequest, delta: string): object {
  if (dialect !== Dialect.OPENAI_RESPONSES) return { type: 'update', delta };
  return { type: 'response.output_text.delta', output_index: 0, delta };
}

/** Returns the last text of a body in the native or in one of OpenAI's dialects. */
function readPrompt(body: ResponsesBody | { messages: { content: string }[] } | { input: string }): string {
  if ('messages' in body) return body.messages.at(-1)?.content ?? '';
  const { input } = body;
  return typeof input === 'string' ? input : joinText(input.at(-1)?.content);
}

function toCompletion({ prompt, request }: FakeCall, text: string) {
  const [prompted, completed] = [countTokens(prompt), countTokens(text)];
  return {
    object: 'chat.completion',
    model: request.modelId,
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: text } }],
    usage: { prompt_tokens: prompted, completion_tokens: completed, total_tokens: prompted + completed },
  };
}

function joinText(content: ResponsesBody['input'][number]['content']): string {
  return (content ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}

async function unlessAborted(gate: Promise<void> | undefined, call: Call): Promise<void> {
  if (!gate) return;
  const { signal } = call;
  await new Promise<void>((resolve, reject) => {
    if (signal.aborted) reject(signal.reason);
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    gate.then(resolve, reject);
  });
}
