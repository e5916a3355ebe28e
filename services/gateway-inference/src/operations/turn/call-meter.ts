import {
  likelyInputTokens,
  likelyOutputTokens,
  pricedAt,
  providerCostMicrocents,
  providerFeeMicrocents,
  type RoutePrices,
  reserveForResults,
} from '@tollgate/catalog';
import type { Logger } from '@tollgate/runtime';
import { type ModelAnswer, type TokenUsage, toOutputText } from '../../domain/model-answer.js';
import { areCounts, NOTHING_SERVED, type ServedUsage, withoutNewZeros } from '../../domain/usage.js';
import type { TurnPlan } from './turn-plan.js';

/** When the reader leaves, an answer that is already arriving is read for this long, so that its exact usage is settled. */
export const ABANDONED_GRACE_MS = 50;
/** Bound of that output: many readers may leave at once. */
export const ABANDONED_OUTPUT_BYTES_MAX = 16 * 1024;
/** Output up to this multiple of the held bound, plus this many tokens, is a plausible figure. */
const PLAUSIBLE_FACTOR = 2;
const PLAUSIBLE_SLACK_TOKENS = 1_024;
/** A provider that relays more than this multiple of the held bound, plus this many tokens, is cut. */
const RUNAWAY_FACTOR = 1.25;
const RUNAWAY_SLACK_TOKENS = 256;

/** Measures one model call: keeps the provider's figure, and estimates the output that the figure does not cover. */
export class CallMeter {
  readonly #plan: TurnPlan;
  readonly #logger: Logger;
  #relayedBytes = 0;
  #figure: TokenUsage | undefined;
  /** Relayed bytes that the figure covers. */
  #coveredBytes = 0;
  /** Of the route that was asked last. */
  #prices: RoutePrices | undefined;
  /** Whether that route is a connection of the project itself. */
  #isOwn = false;

  constructor(plan: TurnPlan, logger: Logger) {
    this.#plan = plan;
    this.#logger = logger;
  }

  /** The call is sent to another route. */
  asks({ prices, ownCircuits }: { prices?: RoutePrices | undefined; ownCircuits?: object | undefined }): void {
    this.#prices = prices;
    this.#isOwn = ownCircuits !== undefined;
  }

  /** Adds output that was passed on to the client. */
  relay(output: string): void {
    this.#relayedBytes += Buffer.byteLength(output);
  }

  /** Takes the provider's figure of the call so far. Logs and ignores an implausible one. */
  report(reported: TokenUsage): void {
    // Servers that do not count report zeros.
    if (reported.inputTokens === 0 && reported.outputTokens === 0) return;
    const usage = this.#figure ? withoutNewZeros(reported, this.#figure) : reported;
    if (this.#isPlausible(usage)) {
      this.#figure = usage;
      if (reported.outputTokens > 0) this.#coveredBytes = this.#relayedBytes;
      return;
    }
    const { call, info, model } = this.#plan;
    const fields = { usage, provider: info.provider, model_id: model.model_id, request_id: call.requestId };
    this.#logger.warn(fields, 'implausible provider usage ignored');
  }

  /** Bytes of output that were passed on to the client. */
  get relayedBytes(): number {
    return this.#relayedBytes;
  }

  /** Whether the provider has delivered or counted anything. */
  get hasOutput(): boolean {
    return this.#relayedBytes > 0 || this.#figure !== undefined;
  }

  /** Whether the provider ignores the output bound. */
  get isRunaway(): boolean {
    const tokensMax = RUNAWAY_FACTOR * this.#plan.conversation.maxOutputTokens + RUNAWAY_SLACK_TOKENS;
    return likelyOutputTokens(this.#relayedBytes) > tokensMax;
  }

  /** Returns the usage of a complete call. */
  finalUsage(answer: ModelAnswer): ServedUsage {
    if (this.#plan.delivery === 'whole') this.relay(toOutputText(answer));
    if (answer.usage) this.report(answer.usage);
    return this.usageSoFar(true);
  }

  /** Returns the usage of a call that broke off. `isInputDue`: the input is charged even without any output. */
  usageSoFar(isInputDue: boolean): ServedUsage {
    if (!this.hasOutput && !isInputDue) return NOTHING_SERVED;
    const figure = this.#figure ?? NOTHING_SERVED;
    // Every call has input, so a figure without input does not count it.
    const inputTokens = figure.inputTokens > 0 ? figure.inputTokens : likelyInput(this.#plan);
    const uncoveredBytes = this.#relayedBytes - this.#coveredBytes;
    const uncoveredTokens = likelyOutputTokens(uncoveredBytes);
    // A figure that came before the output may already count tokens of it.
    const outputTokens =
      this.#coveredBytes === 0 ? Math.max(figure.outputTokens, uncoveredTokens) : figure.outputTokens + uncoveredTokens;
    const usage = { ...figure, inputTokens, outputTokens };
    const cost = this.#providerCost(usage);
    return {
      ...usage,
      isEstimated: inputTokens !== figure.inputTokens || uncoveredBytes > 0,
      feeMicrocents: providerFeeMicrocents(pricedAt(this.#plan.model, this.#prices), usage),
      providerMicrocents: this.#isOwn ? 0n : cost,
      ownProviderMicrocents: this.#isOwn ? cost : 0n,
    };
  }

  /** Where the provider reports no service tier, the dearer tier that the request asks for counts. */
  #providerCost(usage: TokenUsage): bigint {
    const { info, parameters } = this.#plan;
    const model = pricedAt(this.#plan.model, this.#prices);
    const cost = providerCostMicrocents(model, usage);
    const asked = parameters.find(({ parameter }) => parameter === 'service_tier');
    if (!asked || usage.serviceTier !== undefined || info.droppedParameters?.includes(asked.field)) return cost;
    const asAsked = providerCostMicrocents(model, { ...usage, serviceTier: String(asked.value) });
    if (asAsked > cost) return asAsked;
    return cost;
  }

  #isPlausible(usage: TokenUsage): boolean {
    const { model, conversation } = this.#plan;
    const outputTokensMax = PLAUSIBLE_FACTOR * conversation.maxOutputTokens + PLAUSIBLE_SLACK_TOKENS;
    if (!areCounts(usage) || usage.outputTokens > outputTokensMax) return false;
    if (usage.inputTokens <= model.context_window) return true;
    // The model reads the results of the provider's own tools in addition to the conversation.
    const toolTokens = reserveForResults(conversation.input().providerTools ?? []);
    return usage.inputTokens <= model.context_window + toolTokens;
  }
}

/** Returns our own count of the input, which never exceeds what the hold covers. */
export function likelyInput({ model, conversation }: TurnPlan): number {
  const likely = likelyInputTokens(model, conversation.input());
  const { inputTokensEstimate } = conversation;
  return inputTokensEstimate > 0 ? Math.min(likely, inputTokensEstimate) : likely;
}
