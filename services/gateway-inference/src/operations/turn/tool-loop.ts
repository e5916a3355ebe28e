import { AppError, asAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { EMPTY_TOOL_STATE, toolError, underscoredToolName } from '@tollgate/tools';
import type { Context } from '../../context.js';
import type { Citation } from '../../domain/citation.js';
import { type AnswerToolCall, type ModelAnswer, PAUSED } from '../../domain/model-answer.js';
import { asksForJson, type ModelMessage } from '../../domain/model-request.js';
import { type DeclaredTool, type ToolResult, type TurnTools, textForModel } from '../../domain/turn-tools.js';
import { addUsage, NOTHING_SERVED, type ServedUsage } from '../../domain/usage.js';
import { type ExecutedTool, executeTool, type ToolCallContext } from '../../tools/execute-tool.js';
import { toToolError } from '../../tools/tool-failure.js';
import { executedByHooks, HooksUnavailable } from '../../tools/tool-hooks.js';
import { PassingScope, type ToolRun, toActor, toScope } from '../../tools/tool-run.js';
import { extendHold } from './extend-hold.js';
import type { TurnOutput } from './turn-output.js';
import type { TurnPlan } from './turn-plan.js';

/** Bounds of one turn. */
const MODEL_CALLS_MAX = 8;
const TOOL_CALLS_MAX = 16;

type ToolLoopContext = ToolCallContext & Pick<Context, 'holds'>;

/** Runs the service's tools between the model calls of one turn, and continues the conversation with their results. */
export class ToolLoop {
  readonly #ctx: ToolLoopContext;
  readonly #plan: TurnPlan;
  readonly #tools: TurnTools;
  readonly #out: TurnOutput;
  /** Ends with the client's call, or when the turn is cut. */
  readonly #call: Call;
  readonly #run: Omit<ToolRun, 'toolCallId'>;
  #transcript = new CallTranscript(0);
  #modelCalls = 0;
  #served: ServedUsage = NOTHING_SERVED;
  readonly #earlierTexts: string[] = [];
  readonly #results: ToolResult[] = [];
  readonly #citations = new Map<string, Citation>();

  constructor(ctx: ToolLoopContext, plan: TurnPlan, tools: TurnTools, out: TurnOutput) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.#tools = tools;
    this.#out = out;
    this.#call = plan.call.with({});
    this.#run = toToolRun(ctx, plan, this.#call);
  }

  /** Usage of the model calls that have ended. */
  get served(): ServedUsage {
    return this.#served;
  }

  text(delta: string): void {
    this.#transcript.text += delta;
  }

  /** Starts a streamed tool call. Returns its index in the turn. */
  open(index: number, id: string, name: string): number {
    return this.#transcript.open(index, id, name);
  }

  write(index: number, delta: string): number {
    return this.#transcript.write(index, delta);
  }

  abort(): void {
    this.#call.abort(new AppError('RELAY_TIMEOUT', 'the turn has ended'));
  }

  /**
   * Runs the tools that an ended model call asked for.
   *
   * @returns the answer of the whole turn, or nothing when the model is to be asked again
   * @throws AppError that ends the turn
   */
  async next(answer: ModelAnswer, usage: ServedUsage): Promise<ModelAnswer | undefined> {
    this.#modelCalls++;
    this.#served = addUsage(this.#served, usage);
    for (const citation of answer.citations ?? []) this.#cite(citation);
    const transcript = this.#transcript.isEmpty ? CallTranscript.of(answer, this.#transcript.base) : this.#transcript;
    if (this.#mayContinue(answer, transcript)) return await this.#continueTurn(answer, transcript, new Map());
    const own = await this.#ownCalls(answer, transcript.calls);
    if (own.length === 0) return this.#whole(answer, transcript);
    const isLast = own.length < transcript.calls.length;
    this.#checkLimits(own.length, isLast);
    const executed = new Map<AnswerToolCall, ExecutedTool>();
    for (const call of own) executed.set(call, await this.#execute(call, transcript.calls));
    if (isLast) return this.#whole({ ...answer, stopReason: 'tool_use' }, transcript);
    return await this.#continueTurn(answer, transcript, executed);
  }

  /** Continues a turn that the provider paused until the model-call limit; after that, it is returned as paused. */
  #mayContinue({ stopReason, continuation }: ModelAnswer, { calls }: CallTranscript): boolean {
    const isPaused = stopReason === PAUSED && continuation !== undefined && calls.length === 0;
    return isPaused && this.#modelCalls < MODEL_CALLS_MAX;
  }

  /** Returns the calls that the service runs. Tool calls cut off by a token limit are not executed. */
  async #ownCalls({ stopReason }: ModelAnswer, calls: readonly AnswerToolCall[]): Promise<AnswerToolCall[]> {
    if (calls.length === 0 || (stopReason !== 'tool_use' && stopReason !== 'stop')) return [];
    if (this.#tools.areCallers) return [];
    const others = calls.filter(({ name }) => !this.#isServerTool(name)).map(({ name }) => name);
    const hooked = others.length > 0 ? await executedByHooks(this.#ctx.toolHooks, others, this.#call) : undefined;
    return calls.filter(({ name }) => this.#isServerTool(name) || hooked?.has(name));
  }

  #isServerTool(name: string): boolean {
    return this.#tools.declared.get(underscoredToolName(name))?.serverTool !== undefined;
  }

  #checkLimits(toolCalls: number, isLast: boolean): void {
    if (this.#results.length + toolCalls > TOOL_CALLS_MAX) {
      throw new AppError('TOOL_LOOP_LIMIT', `the model made more than ${TOOL_CALLS_MAX} tool calls in one turn`);
    }
    if (!isLast && this.#modelCalls >= MODEL_CALLS_MAX) {
      throw new AppError('TOOL_LOOP_LIMIT', `the turn needs more than ${MODEL_CALLS_MAX} model calls`);
    }
  }

  async #execute(call: AnswerToolCall, all: readonly AnswerToolCall[]): Promise<ExecutedTool> {
    const declared = this.#tools.declared.get(underscoredToolName(call.name));
    const executed =
      declared?.serverTool === 'image_generation' && all.length > 1
        ? { output: NOT_ALONE, argumentsJson: call.arguments }
        : await this.#runCall(call, declared);
    for (const citation of executed.citations ?? []) this.#cite(citation);
    const result = { toolCallId: call.id, name: declared?.name ?? call.name, output: executed.output };
    this.#results.push(result);
    this.#out.push(this.#out.writer?.toolResult?.(result));
    return executed;
  }

  /** If a dependency is unavailable, the tool call fails and the turn continues; hooks that failed closed or were not asked fail it. */
  async #runCall(call: AnswerToolCall, declared: DeclaredTool | undefined): Promise<ExecutedTool> {
    const request = { name: call.name, argumentsJson: call.arguments, parameters: declared?.parameters };
    const run = { ...this.#run, toolCallId: this.#uniqueId(call.id) };
    try {
      return await executeTool(this.#ctx, request, run);
    } catch (thrown) {
      if (thrown instanceof HooksUnavailable) {
        throw new AppError('HOOK_FAILED', thrown.message, { retryable: true, cause: thrown.cause });
      }
      const error = asAppError(thrown);
      if (this.#call.isAborted || error.code === 'HOOK_FAILED') throw error;
      this.#ctx.logger.warn({ err: thrown, tool: call.name, request_id: this.#plan.call.requestId }, 'tool failed');
      return { output: toToolError(error, this.#call), argumentsJson: call.arguments };
    }
  }

  /** Makes ids unique in the turn: some providers repeat them, and retries of tools are matched by id. */
  #uniqueId(id: string): string {
    const earlier = this.#results.filter(({ toolCallId }) => toolCallId === id).length;
    return earlier === 0 ? id : `${id}#${earlier + 1}`;
  }

  /** Extends the hold for a further model call, and adds this call's messages to its request. */
  async #continueTurn(
    answer: ModelAnswer,
    transcript: CallTranscript,
    executed: ReadonlyMap<AnswerToolCall, ExecutedTool>,
  ): Promise<ModelAnswer | undefined> {
    const bound = this.#tools.maxOutputTokens;
    const left = bound === undefined ? undefined : bound - this.#served.outputTokens;
    if (left !== undefined && left < 1) return this.#whole({ ...answer, stopReason: 'max_tokens' }, transcript, []);
    const results = transcript.calls.map((call) => ({ id: call.id, text: textForModel(executed.get(call)!) }));
    this.#plan.conversation.continueWith(transcript.messages(answer, results));
    await extendHold(this.#ctx, this.#plan, { extension: this.#modelCalls, maxOutputTokens: left }, this.#call);
    if (transcript.text !== '') this.#earlierTexts.push(transcript.text);
    this.#transcript = new CallTranscript(transcript.end);
    this.#out.writer?.nextCall?.();
    return undefined;
  }

  /** Returns the last answer as that of the turn, with the text of earlier calls, unless the answer is one JSON value. */
  #whole(answer: ModelAnswer, transcript: CallTranscript, toolCalls = transcript.calls): ModelAnswer {
    const citations = [...this.#citations.values()];
    const earlierTexts = asksForJson(this.#plan.conversation.request()) ? [] : this.#earlierTexts;
    return {
      ...answer,
      text: transcript.text,
      toolCalls,
      ...(citations.length > 0 ? { citations } : {}),
      ...(earlierTexts.length > 0 ? { earlierTexts } : {}),
      ...(this.#results.length > 0 ? { toolResults: this.#results } : {}),
    };
  }

  #cite(citation: Citation): void {
    if (!this.#citations.has(citation.url)) this.#citations.set(citation.url, citation);
  }
}

const NOT_ALONE = toolError('INVALID_INPUT', 'image_generation cannot be combined with other tool calls');

/** Collects the text and the tool calls of one model call, from its stream or from its whole answer. */
export class CallTranscript {
  /** Index in the turn of the call's first tool call. */
  readonly base: number;
  text = '';
  readonly #calls = new Map<number, AnswerToolCall>();

  constructor(base: number) {
    this.base = base;
  }

  static of(answer: ModelAnswer, base: number): CallTranscript {
    const transcript = new CallTranscript(base);
    transcript.text = answer.text;
    for (const [index, call] of answer.toolCalls.entries()) transcript.#calls.set(index, call);
    return transcript;
  }

  get isEmpty(): boolean {
    return this.text === '' && this.#calls.size === 0;
  }

  get calls(): AnswerToolCall[] {
    return [...this.#calls.values()];
  }

  /** Index in the turn after the last tool call. */
  get end(): number {
    return this.base + Math.max(-1, ...this.#calls.keys()) + 1;
  }

  open(index: number, id: string, name: string): number {
    this.#calls.set(index, { id, name, arguments: '' });
    return this.base + index;
  }

  write(index: number, delta: string): number {
    const call = this.#calls.get(index);
    if (call) call.arguments += delta;
    return this.base + index;
  }

  /** Returns the messages that continue the conversation: the model's own, and the results of its tools. */
  messages(answer: ModelAnswer, results: readonly { id: string; text: string }[]): ModelMessage[] {
    const { continuation } = answer;
    const assistant: ModelMessage = {
      role: 'assistant',
      content: this.text === '' ? [] : [{ type: 'text', text: this.text }],
      toolCalls: this.calls.map(({ id, name, arguments: args }) => {
        return { id, type: 'function', function: { name, arguments: args } };
      }),
      toolCallId: undefined,
      ...(continuation ? { continuation } : {}),
    };
    const tools = results.map(({ id, text }): ModelMessage => {
      return { role: 'tool', content: [{ type: 'text', text }], toolCalls: [], toolCallId: id };
    });
    return [assistant, ...tools];
  }
}

/** Returns on whose behalf, and with which state, the tools of a turn run. */
function toToolRun(ctx: Pick<Context, 'toolState'>, plan: TurnPlan, call: Call): Omit<ToolRun, 'toolCallId'> {
  const { toolContext, storage, holdId, tools } = plan;
  return {
    call,
    requestId: plan.call.requestId,
    holdId,
    scope: toScope(ctx, toolContext, storage, new PassingScope(EMPTY_TOOL_STATE)),
    ...toActor(toolContext),
    imageModel: tools?.imageModel,
  };
}
