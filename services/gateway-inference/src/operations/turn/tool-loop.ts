import { AppError, asAppError } from '@tollgate/errors';
import type { Call } from '@tollgate/rpc';
import { toolError, underscoredToolName } from '@tollgate/tools';
import type { Context } from '../../context.js';
import { type AnswerToolCall, type Citation, type ModelAnswer, PAUSED } from '../../domain/model-answer.js';
import { asksForJson } from '../../domain/model-request.js';
import { type DeclaredTool, type ToolResult, type TurnTools, textForModel } from '../../domain/turn-tools.js';
import { NOTHING_SERVED, type ServedUsage, sumOfUsage } from '../../domain/usage.js';
import { type ExecutedTool, executeTool } from '../../tools/execute-tool.js';
import { toToolError } from '../../tools/tool-failure.js';
import { executedByHooks } from '../../tools/tool-hooks.js';
import type { ToolRun } from '../../tools/tool-run.js';
import { CallTranscript } from './call-transcript.js';
import { extendHold } from './extend-hold.js';
import { runOf } from './run-of.js';
import type { TurnOutput } from './turn-output.js';
import type { TurnPlan } from './turn-plan.js';

/** Bounds of one turn. */
export const MODEL_CALLS_MAX = 8;
export const TOOL_CALLS_MAX = 16;

/** What happens between the model calls of one turn: runs the service's tools and continues the conversation with it. */
export class ToolLoop {
  readonly #ctx: Context;
  readonly #plan: TurnPlan;
  readonly #tools: TurnTools;
  readonly #out: TurnOutput;
  /** Ends with the client's, or when the turn is cut. */
  readonly #call: Call;
  readonly #run: Omit<ToolRun, 'toolCallId'>;
  #transcript = new CallTranscript(0);
  #modelCalls = 0;
  #served: ServedUsage = NOTHING_SERVED;
  readonly #earlierTexts: string[] = [];
  readonly #results: ToolResult[] = [];
  readonly #citations = new Map<string, Citation>();

  constructor(ctx: Context, plan: TurnPlan, tools: TurnTools, out: TurnOutput) {
    this.#ctx = ctx;
    this.#plan = plan;
    this.#tools = tools;
    this.#out = out;
    this.#call = plan.call.with({});
    this.#run = runOf(ctx, plan, this.#call);
  }

  /** By the model calls that have ended. */
  get served(): ServedUsage {
    return this.#served;
  }

  text(delta: string): void {
    this.#transcript.text += delta;
  }

  /** A streamed call of a tool begins. Returns its place in the turn. */
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
   * A model call has ended. Runs what it asked the service to do.
   *
   * @returns the answer of the whole turn, or nothing when the model is to be asked again
   * @throws AppError that ends the turn
   */
  async next(answer: ModelAnswer, usage: ServedUsage): Promise<ModelAnswer | undefined> {
    this.#modelCalls++;
    this.#served = sumOfUsage(this.#served, usage);
    for (const citation of answer.citations ?? []) this.#cite(citation);
    const said = this.#transcript.isEmpty ? CallTranscript.of(answer, this.#transcript.base) : this.#transcript;
    if (this.#mayGoOn(answer, said)) return await this.#goOn(answer, said, new Map());
    const ours = await this.#oursOf(answer, said.calls);
    if (ours.length === 0) return this.#whole(answer, said);
    const isLast = ours.length < said.calls.length;
    this.#checkLimits(ours.length, isLast);
    const executed = new Map<AnswerToolCall, ExecutedTool>();
    for (const call of ours) executed.set(call, await this.#execute(call, said.calls));
    if (isLast) return this.#whole({ ...answer, stopReason: 'tool_use' }, said);
    return await this.#goOn(answer, said, executed);
  }

  /** What a provider has paused goes on as long as there may be model calls, and is told as it is then. */
  #mayGoOn({ stopReason, continuation }: ModelAnswer, { calls }: CallTranscript): boolean {
    const isPaused = stopReason === PAUSED && continuation !== undefined && calls.length === 0;
    return isPaused && this.#modelCalls < MODEL_CALLS_MAX;
  }

  /** The calls that the service answers. A call that broke off at a limit is nobody's to run. */
  async #oursOf({ stopReason }: ModelAnswer, calls: readonly AnswerToolCall[]): Promise<AnswerToolCall[]> {
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

  /** A part of the house that is away fails the tool, not the answer; a hook that must not fail fails both. */
  async #runCall(call: AnswerToolCall, declared: DeclaredTool | undefined): Promise<ExecutedTool> {
    const request = { name: call.name, argumentsJson: call.arguments, parameters: declared?.parameters };
    const run = { ...this.#run, toolCallId: this.#uniqueId(call.id) };
    try {
      return await executeTool(this.#ctx, request, run);
    } catch (thrown) {
      const error = asAppError(thrown);
      if (this.#call.isAborted || error.code === 'HOOK_FAILED') throw error;
      this.#ctx.logger.warn({ err: thrown, tool: call.name, request_id: this.#plan.call.requestId }, 'a tool failed');
      return { output: toToolError(error, this.#call), argumentsJson: call.arguments };
    }
  }

  /** Providers without ids of their own may use one twice in a turn; whoever repeats by id must not mix them up. */
  #uniqueId(id: string): string {
    const earlier = this.#results.filter(({ toolCallId }) => toolCallId === id).length;
    return earlier === 0 ? id : `${id}#${earlier + 1}`;
  }

  /** Holds funds for a further model call and puts what has been said into its request. */
  async #goOn(
    answer: ModelAnswer,
    said: CallTranscript,
    executed: ReadonlyMap<AnswerToolCall, ExecutedTool>,
  ): Promise<ModelAnswer | undefined> {
    const bound = this.#tools.maxOutputTokens;
    const left = bound === undefined ? undefined : bound - this.#served.outputTokens;
    if (left !== undefined && left < 1) return this.#whole({ ...answer, stopReason: 'max_tokens' }, said, []);
    const results = said.calls.map((call) => ({ id: call.id, text: textForModel(executed.get(call)!) }));
    this.#plan.conversation.continueWith(said.messages(answer, results));
    await extendHold(this.#ctx, this.#plan, this.#modelCalls, left, this.#call);
    if (said.text !== '') this.#earlierTexts.push(said.text);
    this.#transcript = new CallTranscript(said.end);
    this.#out.writer?.nextCall?.();
    return undefined;
  }

  /** The last model's answer as that of the turn. Text before it belongs to it, unless the answer is one JSON value. */
  #whole(answer: ModelAnswer, said: CallTranscript, toolCalls = said.calls): ModelAnswer {
    const citations = [...this.#citations.values()];
    const earlierTexts = asksForJson(this.#plan.conversation.request()) ? [] : this.#earlierTexts;
    return {
      ...answer,
      text: said.text,
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
