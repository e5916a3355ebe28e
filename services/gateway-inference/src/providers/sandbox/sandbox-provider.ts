import { countSandboxInput, splitSandboxTokens } from '@tollgate/catalog';
import type { ModelAnswer } from '../../domain/model-answer.js';
import type { OptionalParameter } from '../../domain/optional-parameters.js';
import type { ProviderFailure } from '../../domain/provider-failure.js';
import type { ModelCall, ModelExchange, ModelListener, Provider } from '../contract/provider.js';
import { type SandboxAnswer, sandboxAnswer } from './sandbox-answer.js';
import { sandboxFailure, scriptedFailure } from './script.js';

/** Tokens that are delivered before a scripted cut. */
const TOKENS_BEFORE_CUT_MIN = 3;

/** Answers without network, like a test card for payments. The README lists the phrases that control it. */
export class SandboxProvider implements Provider {
  readonly id = 'sandbox';
  readonly forwards = [];

  /** The same request always has the same answer. */
  parameters(): readonly OptionalParameter[] {
    return ['seed'];
  }

  start(call: ModelCall, listener: ModelListener): ModelExchange {
    return new SandboxExchange(call, listener, sandboxAnswer(call.request(), call.maxOutputTokens));
  }

  async close(): Promise<void> {}
}

/** Plays one answer. Only one step is pending at a time, so pausing and aborting only cancel that step. */
class SandboxExchange implements ModelExchange {
  readonly #call: ModelCall;
  readonly #listener: ModelListener;
  readonly #answer: SandboxAnswer;
  #sent = 0;
  #timer: NodeJS.Timeout | undefined;
  #immediate: NodeJS.Immediate | undefined;
  #next: () => void;
  #isPaused = false;
  #isOver = false;

  constructor(call: ModelCall, listener: ModelListener, answer: SandboxAnswer) {
    this.#call = call;
    this.#listener = listener;
    this.#answer = answer;
    this.#next = this.#begin;
    const { waitMs, slowMs } = answer.script;
    const playTimeMs = call.isStream ? 0 : slowMs * Math.max(0, answer.pieces.length - 1);
    this.#schedule(waitMs + playTimeMs);
  }

  pause(): void {
    this.#isPaused = true;
  }

  resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    if (!this.#timer && !this.#immediate) this.#schedule(0);
  }

  /** Emits its output as it is due. */
  readWaiting(): void {}

  /** Has nothing to close. */
  abort(): boolean {
    this.#isOver = true;
    clearTimeout(this.#timer);
    clearImmediate(this.#immediate);
    return false;
  }

  #schedule(delayMs: number): void {
    if (delayMs > 0) this.#timer = setTimeout(this.#step, delayMs);
    else this.#immediate = setImmediate(this.#step);
  }

  readonly #step = (): void => {
    this.#timer = undefined;
    this.#immediate = undefined;
    if (!this.#isOver && !this.#isPaused) this.#next();
  };

  readonly #begin = (): void => {
    const failure = this.#failureAtOnce();
    if (failure) {
      this.#fail(failure);
    } else if (this.#call.isStream) {
      this.#listener.onOpen();
      const { kind, toolName } = this.#answer;
      if (kind === 'tool_call') this.#listener.onToolCall(0, this.#toolCallId(), toolName);
      this.#next = this.#sendPiece;
      this.#sendPiece();
    } else {
      this.#finish();
    }
  };

  #failureAtOnce(): ProviderFailure | undefined {
    const { script } = this.#answer;
    // A cut stream breaks after its first tokens, never before.
    if (script.failure === 'cut' && this.#call.isStream) return undefined;
    return scriptedFailure(script, this.#call.requestId);
  }

  readonly #sendPiece = (): void => {
    const { pieces, kind, script } = this.#answer;
    const isCut = script.failure === 'cut';
    const end = isCut ? Math.max(TOKENS_BEFORE_CUT_MIN, Math.floor(pieces.length / 2)) : pieces.length;
    const piece = this.#sent < end ? pieces[this.#sent] : undefined;
    if (piece !== undefined) {
      this.#sent++;
      if (kind === 'text') this.#listener.onText(piece);
      else this.#listener.onToolArguments(0, piece);
      if (this.#isOver || this.#isPaused) return;
    }
    if (this.#sent < Math.min(end, pieces.length)) this.#schedule(script.slowMs);
    else if (isCut) this.#fail(sandboxFailure(this.#call.requestId, 'transport'));
    else this.#finish();
  };

  #finish(): void {
    const { kind, pieces, stopReason, stopSequence, toolName } = this.#answer;
    const text = this.#call.isStream ? '' : pieces.join('');
    const isToolCall = kind === 'tool_call' && !this.#call.isStream;
    const answer: ModelAnswer = {
      responseId: `sandbox-${this.#call.requestId}`,
      stopReason,
      ...(stopSequence === undefined ? {} : { stopSequence }),
      text: kind === 'text' ? text : '',
      toolCalls: isToolCall ? [{ id: this.#toolCallId(), name: toolName, arguments: text }] : [],
      usage: {
        inputTokens: countSandboxInput(this.#call.input()),
        outputTokens: pieces.length + splitSandboxTokens(toolName).length,
        cacheReadInputTokens: 0,
        cacheWriteInputTokens: 0,
        reasoningTokens: 0,
      },
    };
    this.#isOver = true;
    this.#listener.onAnswer(answer);
  }

  #fail(failure: ProviderFailure): void {
    this.#isOver = true;
    this.#listener.onFailure(failure);
  }

  #toolCallId(): string {
    return `call_${this.#call.requestId.replace(/[^a-zA-Z0-9]/g, '')}`;
  }
}
