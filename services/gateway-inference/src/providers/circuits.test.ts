import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tollgate/runtime';
import { ProviderFailure, type ProviderFailureKind } from '../domain/provider-failure.js';
import { Circuits } from './circuits.js';

type Outcome = 'answer' | { kind: ProviderFailureKind; status?: number };

const broken: Outcome = { kind: 'transport' };

/** Two routes whose calls end as scripted, on a clock of its own. */
class Scene {
  nowMs = 0;
  /** How far the wall clock is ahead. */
  stepMs = 1_700_000_000_000;
  readonly circuits: Circuits;

  constructor() {
    const nowMs = () => this.nowMs + this.stepMs;
    const clock = { nowMs, now: () => new Date(nowMs()), elapsed: () => this.nowMs };
    this.circuits = new Circuits({ failuresMax: 3, openMs: 1_000 }, clock, silentLogger);
  }

  call(id: 'openai' | 'xai', outcome: Outcome, times = 1): void {
    const failure = outcome === 'answer' ? undefined : new ProviderFailure({ provider: id, ...outcome });
    for (let i = 0; i < times; i++) this.circuits.record(toRoute(id), failure);
  }

  order(...ids: ('openai' | 'xai')[]): string[] {
    return this.circuits.inOrder(ids.map(toRoute)).map(({ provider }) => provider.id);
  }
}

function toRoute(id: 'openai' | 'xai') {
  return { provider: { id }, connection: id, upstreamModel: 'm' };
}

describe('routes', () => {
  it('puts routes that fail behind those that work, until one call has tried them again', () => {
    const scene = new Scene();
    scene.call('openai', broken, 2);
    expect(scene.order('openai', 'xai')).toEqual(['openai', 'xai']);
    scene.call('openai', broken);
    expect(scene.order('openai', 'xai')).toEqual(['xai', 'openai']);
    scene.nowMs = 1_000;
    expect(scene.order('openai', 'xai')).toEqual(['openai', 'xai']);
    expect(scene.order('openai', 'xai')).toEqual(['xai', 'openai']);
    scene.call('openai', 'answer');
    expect(scene.order('openai', 'xai')).toEqual(['openai', 'xai']);
  });

  it.each([-3_600_000, 3_600_000])('puts a route last for its time when the wall clock steps by %d ms', (stepMs) => {
    const scene = new Scene();
    scene.call('openai', broken, 3);
    scene.stepMs += stepMs;
    expect(scene.order('openai', 'xai')).toEqual(['xai', 'openai']);
    scene.nowMs = 999;
    expect(scene.order('openai', 'xai')).toEqual(['xai', 'openai']);
    scene.nowMs = 1_000;
    expect(scene.order('openai', 'xai')).toEqual(['openai', 'xai']);
  });

  it('reports a circuit with its times on the wall clock', () => {
    const scene = new Scene();
    scene.call('openai', broken, 3);
    scene.nowMs = 400;
    const route = { connection: 'openai', upstreamModel: 'm' };
    const sinceMs = 1_700_000_000_000;
    expect(scene.circuits.find(route)).toEqual({ state: 'open', failures: 3, sinceMs, nextProbeMs: sinceMs + 1_000 });
    scene.call('openai', 'answer');
    expect(scene.circuits.find(route)).toMatchObject({ sinceMs: sinceMs + 400, nextProbeMs: undefined });
    expect(scene.circuits.find({ ...route, upstreamModel: 'other' })).toBeUndefined();
  });

  it('reports the providers of which a model is avoided', () => {
    const scene = new Scene();
    scene.call('xai', broken, 3);
    expect(scene.circuits.failingConnections).toEqual(['xai']);
    scene.call('xai', 'answer');
    expect(scene.circuits.failingConnections).toEqual([]);
  });

  it('reports no provider whose avoided routes were not called for ten minutes, and avoids them further', () => {
    const scene = new Scene();
    scene.call('xai', broken, 3);
    scene.nowMs = 10 * 60_000 - 1;
    expect(scene.circuits.failingConnections).toEqual(['xai']);
    scene.nowMs++;
    expect(scene.circuits.failingConnections).toEqual([]);
    expect(scene.order('xai', 'openai')).toEqual(['xai', 'openai']);
    expect(scene.order('xai', 'openai')).toEqual(['openai', 'xai']);
    scene.call('xai', broken);
    expect(scene.circuits.failingConnections).toEqual(['xai']);
  });

  it('keeps every route, whatever its record: an only route is never refused', () => {
    const scene = new Scene();
    scene.call('openai', broken, 9);
    scene.call('xai', broken, 9);
    expect(scene.order('openai')).toEqual(['openai']);
    expect(scene.order('openai', 'xai').sort()).toEqual(['openai', 'xai']);
  });

  it('admits a probe only where the route would be asked first', () => {
    const scene = new Scene();
    scene.call('xai', broken, 3);
    scene.nowMs = 5_000;
    expect(scene.order('openai', 'xai')).toEqual(['openai', 'xai']);
    expect(scene.order('xai', 'openai')).toEqual(['xai', 'openai']);
    expect(scene.order('xai', 'openai')).toEqual(['openai', 'xai']);
  });

  it.each<[Outcome, boolean]>([
    [{ kind: 'timeout' }, true],
    [{ kind: 'invalid_response' }, true],
    [{ kind: 'response', status: 503 }, true],
    [{ kind: 'response', status: 529 }, true],
    [{ kind: 'response', status: 429 }, true],
    [{ kind: 'response', status: 400 }, false],
    [{ kind: 'response', status: 401 }, false],
    [{ kind: 'payment', status: 402 }, false],
    [{ kind: 'overloaded' }, false],
  ])('counts %j against its route: %s', (outcome, counts) => {
    const scene = new Scene();
    scene.call('openai', outcome, 3);
    expect(scene.order('openai', 'xai')).toEqual(counts ? ['xai', 'openai'] : ['openai', 'xai']);
  });

  it('keeps a record for each model', () => {
    const scene = new Scene();
    scene.call('openai', broken, 3);
    const other = { ...toRoute('openai'), upstreamModel: 'other' };
    expect(scene.circuits.inOrder([other, toRoute('xai')])).toEqual([other, toRoute('xai')]);
  });
});

describe('the failure of one key of several', () => {
  it.each([
    [true, 429, ['openai', 'xai']],
    [false, 429, ['xai', 'openai']],
    [true, undefined, ['xai', 'openai']],
  ])('counts for the route unless another key is left (%p, status %p)', (hasOther, status, expected) => {
    const scene = new Scene();
    const kind = status === undefined ? 'timeout' : 'response';
    const failure = new ProviderFailure({ provider: 'openai', kind, status });
    for (let i = 0; i < 3; i++) scene.circuits.record({ ...toRoute('openai'), keys: { hasOther } }, failure);
    expect(scene.order('openai', 'xai')).toEqual(expected);
  });
});

describe('the choice of the first route', () => {
  const routes = (weights: number[]) =>
    weights.map((weight) => ({
      provider: { id: 'openai' as const },
      connection: `w${weight}`,
      upstreamModel: 'm',
      weight,
    }));
  const fail = (scene: Scene, route: ReturnType<typeof routes>[number]) => {
    for (let i = 0; i < 3; i++)
      scene.circuits.record(route, new ProviderFailure({ provider: 'openai', kind: 'timeout' }));
  };

  it('gives each route its share by weight, interleaved, and keeps the others in order', () => {
    const scene = new Scene();
    const all = routes([3, 1, 2]);
    const orders = Array.from({ length: 6 }, () => scene.circuits.inOrder(all, 'weighted').map(({ weight }) => weight));
    expect(orders.map(([first]) => first)).toEqual([3, 2, 3, 1, 2, 3]);
    expect(orders[1]).toEqual([2, 3, 1]);
  });

  it('does not choose a route of weight 0 first, or a route that fails', () => {
    const scene = new Scene();
    const all = routes([0, 1, 2]);
    fail(scene, all[2]!);
    const orders = Array.from({ length: 3 }, () => scene.circuits.inOrder(all, 'weighted').map(({ weight }) => weight));
    expect(orders).toEqual([
      [1, 0, 2],
      [1, 0, 2],
      [1, 0, 2],
    ]);
  });

  it('chooses the route whose streams start first, one without a measurement before, and a slow one again later', () => {
    const scene = new Scene();
    const [slow, quick, fresh] = routes([1, 2, 3]) as [never, never, never];
    const first = (...all: never[]) => scene.circuits.inOrder(all as ReturnType<typeof routes>, 'fastest')[0];
    scene.circuits.started(slow, 800);
    scene.circuits.started(quick, 200);
    expect([first(slow, quick), first(slow, quick, fresh)]).toEqual([quick, fresh]);
    scene.circuits.started(quick, 8_000);
    expect(first(slow, quick)).toBe(slow);
    scene.nowMs += 3_600_000;
    scene.circuits.started(slow, 800);
    expect(first(slow, quick)).toBe(quick);
  });
});
