import { describe, expect, it } from '@jest/globals';
import { AppError } from '@tollgate/errors';
import { MetricsRegistry } from '@tollgate/metrics';
import { startCall } from '@tollgate/rpc';
import { silentLogger } from '@tollgate/runtime';
import { parseMetrics } from '@tollgate/testkit';
import type { Settlement } from '../../clients/settlements.js';
import { ProviderFailure, type ProviderFailureKind } from '../../domain/provider-failure.js';
import { failed, lost, served } from '../../domain/work-state.js';
import { AwaitedWork } from './awaited-work.js';
import type { HeldPlan, HeldWorker } from './held-plan.js';
import { HeldWork, type HeldWorkContext } from './held-work.js';
import type { HeldRoute } from './routes.js';
import { WorkMetrics } from './work-metrics.js';

const openai: HeldRoute = { provider: { id: 'openai' }, connection: 'openai', upstreamModel: 'gpt' };
const xai: HeldRoute = { provider: { id: 'xai' }, connection: 'xai', upstreamModel: 'grok' };
const unavailable = new AppError('SERVICE_UNAVAILABLE', 'no');

/** A ledger that keeps every settlement and acknowledges it, unless it is down. */
class HeldWorkHarness {
  nowMs = 1_000;
  isLedgerDown = false;
  isHoldOpen = true;
  readonly settled: { settlement: Settlement; waitMs: number }[] = [];
  readonly progress: object[] = [];
  readonly liveTurns: HeldWorkContext['liveTurns'] = new Set();
  readonly metrics = new MetricsRegistry();

  readonly ctx = {
    clock: { nowMs: () => this.nowMs, now: () => new Date(this.nowMs), elapsed: () => this.nowMs },
    logger: silentLogger,
    liveTurns: this.liveTurns,
    workMetrics: new WorkMetrics(this.metrics.forService('gateway-inference')),
    config: { settleWaitMs: 10_000 },
    billing: {
      recordProgress: async (request: object) => {
        this.progress.push(request);
        return { open: this.isHoldOpen };
      },
    },
    settlements: {
      settle: async (settlement: Settlement, _call: unknown, waitMs: number) => {
        this.settled.push({ settlement, waitMs });
        if (this.isLedgerDown) throw unavailable;
        return { customerMicrocents: 0n, ownerMicrocents: 0n };
      },
    },
  } as unknown as HeldWorkContext;

  plan(...routes: HeldRoute[]): HeldPlan<HeldRoute> {
    const common = { delivery: 'whole', executionOrigin: 'provider' } as const;
    return { ...common, call: startCall(), holdId: 'h', modelId: 'm', routes, startedAt: 1_000 };
  }

  work(worker: Partial<HeldWorker> = {}, ...routes: HeldRoute[]): HeldWork<HeldRoute> {
    const idle = { usedSoFar: () => ({}), cut() {}, holdExpired() {} };
    return new HeldWork(this.ctx, this.plan(openai, ...routes), { ...idle, ...worker });
  }
}

function failure(status: number | undefined, kind: ProviderFailureKind = 'response'): ProviderFailure {
  return new ProviderFailure({ kind, provider: 'openai', status });
}

describe('the metrics of held work', () => {
  async function scrapeValues(harness: HeldWorkHarness, name: string, ...labels: string[]) {
    const { samples = [] } = parseMetrics(await harness.metrics.scrape())[name] ?? {};
    return Object.fromEntries(samples.map((each) => [labels.map((label) => each.labels[label]).join(' '), each.value]));
  }
  const requests = (harness: HeldWorkHarness) =>
    scrapeValues(harness, 'tollgate_provider_requests_total', 'provider', 'outcome');

  it('counts every request to a provider by its outcome, once', async () => {
    const harness = new HeldWorkHarness();
    const work = harness.work({}, xai);
    work.ask();
    work.retryAfter(failure(503));
    work.ask();
    work.open();
    work.pause();
    work.ask();
    await work.settle(served({}));
    expect(await requests(harness)).toEqual({ 'openai failed': 1, 'xai ok': 2 });
    const durations = parseMetrics(await harness.metrics.scrape()).tollgate_provider_request_duration_seconds;
    const counts = durations?.samples.filter(({ name }) => name.endsWith('_count')).map(({ value }) => value);
    expect(counts).toEqual([1, 2]);
  });

  it.each([
    ['refused', { kind: 'response', status: 429 }],
    ['refused', { kind: 'payment' }],
    ['refused', { kind: 'overloaded' }],
    ['timeout', { kind: 'timeout' }],
    ['failed', { kind: 'transport' }],
    ['failed', { kind: 'invalid_response', status: 200 }],
  ] as const)('counts as %s: %j', async (outcome, options) => {
    const harness = new HeldWorkHarness();
    const work = harness.work();
    work.ask();
    work.retryAfter(new ProviderFailure({ provider: 'openai', ...options }));
    await work.settle(failed({}, unavailable));
    expect(await requests(harness)).toEqual({ [`openai ${outcome}`]: 1 });
  });

  it('counts a request that is cut as canceled', async () => {
    const harness = new HeldWorkHarness();
    const work = harness.work();
    work.ask();
    await work.settle(lost({}, true));
    expect(await requests(harness)).toEqual({ 'openai canceled': 1 });
  });

  it('counts neither skipped routes nor answers from the cache', async () => {
    const harness = new HeldWorkHarness();
    const skipped = harness.work({}, xai);
    skipped.ask();
    skipped.skipRoute(new AppError('MODEL_CAPABILITY_UNSUPPORTED', 'no images'));
    await skipped.settle(failed({}, unavailable));
    const plan = { ...harness.plan(openai), executionOrigin: 'response_cache' } as const;
    const cached = new HeldWork(harness.ctx, plan, { usedSoFar: () => ({}), cut() {}, holdExpired() {} });
    cached.ask();
    await cached.settle(served({}));
    expect(await requests(harness)).toEqual({});
  });

  it('counts tokens by model and kind', async () => {
    const harness = new HeldWorkHarness();
    const work = harness.work();
    work.ask();
    await work.settle(
      served({ inputTokens: 10n, outputTokens: 3n, cacheReadInputTokens: 4n, cacheWriteInputTokens: 1n }),
    );
    expect(await scrapeValues(harness, 'tollgate_tokens_total', 'model', 'kind')).toEqual({
      'm input': 10,
      'm output': 3,
      'm cache_read': 4,
      'm cache_write': 1,
    });
  });
});

describe('the heartbeat of held work', () => {
  it('starts with the first attempt, so that work that is never started does not keep its hold', () => {
    const harness = new HeldWorkHarness();
    const work = harness.work();
    expect(harness.liveTurns.size).toBe(0);
    work.ask();
    expect(harness.liveTurns.size).toBe(1);
  });
});

describe('the states of held work', () => {
  it('passes from waiting over asked and open to served, then settled', async () => {
    const work = new HeldWorkHarness().work();
    const seen = [work.state];
    work.ask();
    seen.push(work.state);
    work.open();
    seen.push(work.state);
    const settling = work.settle(served({}));
    seen.push(work.state);
    await settling;
    expect([...seen, work.state]).toEqual(['waiting', 'asked', 'open', 'served', 'settled']);
  });

  it('returns to waiting between two model calls', () => {
    const work = new HeldWorkHarness().work();
    work.ask();
    work.open();
    work.pause();
    expect(work.ask()).toBe(openai);
  });

  it('throws when an outcome is settled twice, and settles the first only', async () => {
    const harness = new HeldWorkHarness();
    const work = harness.work();
    await work.settle(failed({}, unavailable));
    await expect(work.settle(served({}))).rejects.toThrow('illegal transition of held work: settled to served');
    expect(harness.settled).toHaveLength(1);
  });

  it('throws when a route is asked while another one is working', () => {
    const work = new HeldWorkHarness().work();
    work.ask();
    expect(() => work.ask()).toThrow('illegal transition of held work: asked to asked');
  });

  it('throws when a provider answers that was not asked, or answers after the outcome', async () => {
    const work = new HeldWorkHarness().work();
    expect(() => work.open()).toThrow('waiting to open');
    await work.settle(lost({}, false));
    expect(() => work.open()).toThrow('settled to open');
    expect(() => work.ask()).toThrow('settled to asked');
    expect(() => work.pause()).toThrow('settled to waiting');
  });

  it('rejects the settlement and ends the work when the ledger does not acknowledge', async () => {
    const harness = new HeldWorkHarness();
    harness.isLedgerDown = true;
    const work = harness.work();
    await expect(work.settle(served({}))).rejects.toBe(unavailable);
    expect([work.state, work.isOver]).toEqual(['served', true]);
  });
});

describe('the routes of held work', () => {
  it('asks the next route after a failure that another provider may not have', () => {
    const work = new HeldWorkHarness().work({}, xai);
    expect(work.ask()).toBe(openai);
    expect(work.retryAfter(failure(500))).toBe(true);
    expect(work.ask()).toBe(xai);
    expect(work.retryAfter(failure(503))).toBe(false);
    expect(work.error()).toMatchObject({ failures: [{ statusCode: 500 }, { statusCode: 503 }] });
  });

  it('asks no other route when the request was refused, or output was delivered', () => {
    for (const [status, hasOutput] of [
      [400, false],
      [500, true],
    ] as const) {
      const work = new HeldWorkHarness().work({}, xai);
      work.ask();
      expect(work.retryAfter(failure(status), { hasOutput })).toBe(false);
    }
  });

  it('skips a route that does not support the request', () => {
    const work = new HeldWorkHarness().work({}, xai);
    work.ask();
    expect(work.skipRoute(new AppError('MODEL_CAPABILITY_UNSUPPORTED', 'no'))).toBe(true);
    work.ask();
    const error = new AppError('MODEL_CAPABILITY_UNSUPPORTED', 'no');
    expect(work.skipRoute(error)).toBe(false);
    expect(work.error(error)).toBe(error);
  });

  /** Work at a connection with several keys, and then at xAI. */
  function sharedWork(keys: { hasOther: boolean }) {
    const idle = { usedSoFar: () => ({}), cut() {}, holdExpired() {} };
    const harness = new HeldWorkHarness();
    const work = new HeldWork(harness.ctx, harness.plan({ ...openai, keys }, xai), idle);
    const next = (status: number | undefined, kind?: ProviderFailureKind) =>
      work.retryAfter(failure(status, kind)) ? work.ask().connection : undefined;
    return { next, ask: () => work.ask().connection };
  }

  it.each([401, 403, 429, 500, 503])(
    'asks the same route with another key after %d, at most three in all',
    (status) => {
      const { ask, next } = sharedWork({ hasOther: true });
      expect(ask()).toBe('openai');
      expect([next(status), next(status), next(status), next(status)]).toEqual(['openai', 'openai', 'xai', undefined]);
    },
  );

  it.each([
    ['refuses payment with the status of a faulty request', 'payment', 400],
    ['cannot be authorized', 'unauthorized', undefined],
  ] as const)('asks the same route with another key when the first one %s', (_, kind, status) => {
    const { ask, next } = sharedWork({ hasOther: true });
    ask();
    expect(next(status, kind)).toBe('openai');
  });

  it('asks the next route when no other key is left, or when the failure is not of the key', () => {
    const keys = { hasOther: false };
    const without = sharedWork(keys);
    without.ask();
    expect(without.next(429)).toBe('xai');
    const other = sharedWork({ hasOther: true });
    other.ask();
    expect(other.next(404)).toBe('xai');
  });
});

describe('the settlement of held work', () => {
  it('reports the provider that was asked last, and the outcome', async () => {
    const harness = new HeldWorkHarness();
    const work = harness.work();
    work.ask();
    harness.nowMs = 1_250;
    await work.settle(served({ inputTokens: 3n }, 'stop', 'r1'));
    expect(harness.settled).toEqual([
      {
        waitMs: 10_000,
        settlement: {
          holdId: 'h',
          usage: { inputTokens: 3n },
          isInDoubt: false,
          unansweredCalls: 0,
          facts: {
            responseId: 'r1',
            modelId: 'm',
            provider: 'openai',
            status: 200,
            stopReason: 'stop',
            errorCode: '',
            durationMs: 250n,
            success: true,
            streaming: false,
            executionOrigin: 'provider',
            attempts: [
              {
                provider: 'openai',
                connection: 'openai',
                upstreamModel: 'gpt',
                outcome: 'answered',
                durationMs: expect.any(Number),
              },
            ],
          },
        },
      },
    ]);
    expect(harness.liveTurns.size).toBe(0);
  });

  it('reports every route that was asked, in order, with how it ended', async () => {
    const harness = new HeldWorkHarness();
    const work = harness.work({}, xai, openai, xai);
    work.ask();
    work.retryAfter(failure(503));
    work.ask();
    work.skipRoute(new AppError('MODEL_CAPABILITY_UNSUPPORTED', 'no'));
    work.ask();
    work.pause();
    work.ask();
    await work.settle(lost({}, false));
    expect(harness.settled[0]?.settlement.facts?.attempts).toMatchObject([
      { provider: 'openai', upstreamModel: 'gpt', outcome: 'failed', failure: 'response', status: 503 },
      { provider: 'xai', outcome: 'skipped' },
      { provider: 'openai', outcome: 'answered' },
      { provider: 'openai', outcome: 'canceled' },
    ]);
  });

  it('reports at most 20 calls, with the last one', async () => {
    const harness = new HeldWorkHarness();
    const work = harness.work();
    for (let i = 0; i < 30; i++) {
      work.ask();
      work.pause();
    }
    work.ask();
    await work.settle(lost({}, false));
    const outcomes = harness.settled[0]?.settlement.facts?.attempts?.map(({ outcome }) => outcome);
    expect(outcomes).toHaveLength(20);
    expect(outcomes?.at(-1)).toBe('canceled');
  });

  const unanswered = new ProviderFailure({ kind: 'timeout', provider: 'openai', isUnanswered: true });

  it('reports failed work as in doubt when its only call was sent and never answered', async () => {
    const harness = new HeldWorkHarness();
    const work = harness.work();
    work.ask();
    work.retryAfter(unanswered);
    await work.settle(failed({}, unavailable));
    expect(harness.settled[0]?.settlement).toMatchObject({ isInDoubt: true, unansweredCalls: 0 });
  });

  it('reports the calls that were not answered before another route served', async () => {
    const harness = new HeldWorkHarness();
    const work = harness.work({}, xai, openai);
    for (let i = 0; i < 2; i++) {
      work.ask();
      work.retryAfter(unanswered);
    }
    work.ask();
    await work.settle(served({ inputTokens: 1n }));
    expect(harness.settled[0]?.settlement).toMatchObject({ isInDoubt: false, unansweredCalls: 2 });
  });

  it('leaves nothing in doubt when output was delivered and measured', async () => {
    const harness = new HeldWorkHarness();
    const work = harness.work();
    work.ask();
    work.retryAfter(unanswered, { hasOutput: true });
    await work.settle(failed({ inputTokens: 1n }, unavailable));
    expect(harness.settled[0]?.settlement).toMatchObject({ isInDoubt: false, unansweredCalls: 0 });
  });

  it('waits one second for the ledger when nothing was used, and ten seconds otherwise', async () => {
    const harness = new HeldWorkHarness();
    await harness.work().settle(failed({}, unavailable));
    await harness.work().settle(failed({ images: 1 }, unavailable));
    expect(harness.settled.map(({ waitMs }) => waitMs)).toEqual([1_000, 10_000]);
  });
});

describe('the heartbeat of held work', () => {
  it('reports progress every two seconds while the outcome is open', async () => {
    const harness = new HeldWorkHarness();
    const work = harness.work({ usedSoFar: () => ({ outputTokens: 7n }) });
    for (const nowMs of [2_999, 3_000, 4_000, 5_000]) work.report(nowMs);
    expect(harness.progress).toEqual(Array(2).fill({ holdId: 'h', usage: { outputTokens: 7n } }));
    await work.settle(lost({}, false));
    work.report(9_000);
    expect(harness.progress).toHaveLength(2);
  });

  it('ends work whose hold has expired', async () => {
    const harness = new HeldWorkHarness();
    harness.isHoldOpen = false;
    const work = new AwaitedWork(harness.ctx, harness.plan(openai, xai));
    const asked = work.ask(
      () => new Promise((_, reject) => work.call.signal.addEventListener('abort', () => reject(new Error('cut')))),
    );
    for (const turn of harness.liveTurns) turn.report(3_000);
    await expect(asked).rejects.toMatchObject({ message: 'the hold for this request has expired' });
    expect(harness.settled).toMatchObject([
      { settlement: { isInDoubt: true, facts: { status: 503, errorCode: 'SERVICE_UNAVAILABLE', provider: 'openai' } } },
    ]);
  });
});

describe('awaited work', () => {
  it('leaves nothing in doubt when the caller left before any provider was asked', async () => {
    const harness = new HeldWorkHarness();
    const plan = harness.plan(openai);
    plan.call.abort(undefined);
    const work = new AwaitedWork(harness.ctx, plan);
    await expect(work.ask(async () => 'answer')).rejects.toMatchObject({ code: 'RELAY_TIMEOUT' });
    expect(harness.settled).toMatchObject([{ settlement: { isInDoubt: false, facts: { status: 499, provider: '' } } }]);
  });

  it('settles as in doubt when the work is cut before its provider reports anything', async () => {
    const harness = new HeldWorkHarness();
    const work = new AwaitedWork(harness.ctx, harness.plan(openai));
    const asked = work.ask(async () => {
      for (const turn of harness.liveTurns) turn.cut();
      throw new Error('cut');
    });
    await expect(asked).rejects.toMatchObject({ message: 'the service is stopping' });
    expect(harness.settled).toMatchObject([{ settlement: { isInDoubt: true, facts: { status: 499 } } }]);
  });

  it('settles once and ignores later reports', async () => {
    const harness = new HeldWorkHarness();
    const work = new AwaitedWork(harness.ctx, harness.plan(openai));
    await work.ask(async () => 'answer');
    await work.settle({ inputTokens: 1n });
    expect(await work.fail(unavailable, {})).toBe(unavailable);
    await work.abandon({});
    expect(harness.settled).toHaveLength(1);
  });
});
