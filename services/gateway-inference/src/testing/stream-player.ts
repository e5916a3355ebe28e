import { isDeepStrictEqual } from 'node:util';
import { expect } from '@jest/globals';
import type { AppError } from '@tollgate/errors';
import type { ModelAnswer, TokenUsage } from '../domain/model-answer.js';
import { type ProviderFailure, toContractError } from '../domain/provider-failure.js';
import type { ModelListener } from '../providers/contract/provider.js';
import type { Wire } from '../providers/contract/wire.js';
import { ModelStream } from '../providers/transport/http-exchange.js';

/** Records the output of a stream in one comparable value. */
export class Recorder implements ModelListener {
  text = '';
  reasoning = '';
  readonly calls: { id: string; name: string; arguments: string }[] = [];
  readonly forwarded: { data: string; isLast: boolean; name?: string }[] = [];
  usage: TokenUsage | undefined;
  answer: ModelAnswer | undefined;
  failure: AppError | undefined;

  onOpen(): void {}
  onText(delta: string): void {
    this.text += delta;
  }
  onReasoning(delta: string): void {
    this.reasoning += delta;
  }
  onToolCall(index: number, id: string, name: string): void {
    this.calls[index] = { id, name, arguments: '' };
  }
  onToolArguments(index: number, delta: string): void {
    this.calls[index]!.arguments += delta;
  }
  onForward(data: string, text: string, isLast: boolean, name?: string): void {
    this.text += text;
    this.forwarded.push({ data, isLast, ...(name === undefined ? {} : { name }) });
  }
  onUsage(usage: TokenUsage): void {
    this.usage = usage;
  }
  onAnswer(answer: ModelAnswer): void {
    this.answer = answer;
  }
  onFailure(failure: ProviderFailure): void {
    this.failure = toContractError(failure, 'req_1');
  }
}

/** Plays the bytes of a stream, cut at the given places. */
export function play(wire: Wire, bytes: Buffer, cuts: readonly number[] = []): Recorder {
  const recorder = new Recorder();
  const stream = new ModelStream(wire, recorder, 'up_1');
  let from = 0;
  for (const to of [...cuts, bytes.length]) {
    stream.feed(bytes.subarray(from, to));
    from = to;
  }
  stream.close();
  return recorder;
}

/** Returns every way to cut the bytes once, and the cut into single bytes. `step` skips some of the former. */
export function allCuts(bytes: Buffer, step = 1): number[][] {
  const everywhere = Array.from({ length: bytes.length - 1 }, (_, i) => i + 1);
  return [...everywhere.filter((at) => at % step === 0).map((at) => [at]), everywhere];
}

/** Expects the same record from every way to cut a stream. */
export function expectSame(records: Iterable<Recorder>, whole: Recorder): void {
  // Comparing with `toEqual` takes longer than the thousands of streams themselves; it shows the difference.
  for (const record of records) if (!isDeepStrictEqual(record, whole)) expect(record).toEqual(whole);
}
