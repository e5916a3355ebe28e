import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@tollgate/runtime';
import { ProviderFailure, type ProviderFailureKind } from '../domain/provider-failure.js';
import { Recorder } from '../testing/stream-player.js';
import { Circuits } from './circuits.js';
import type { ModelCall, ModelListener, Provider } from './contract/provider.js';

type Outcome = 'answer' | { kind: ProviderFailureKind; status?: number };

const answer = { responseId: 'r', stopReason: 'stop', text: '', toolCalls: [], usage: undefined };
const broken: Outcome = { kind: 'transport' };

/** Two routes whose calls end as told, on a clock of its own. */
class Scene {
  nowMs = 0;
  readonly circuits: Circuits;
  readonly #providers: Record<string, Provider>;

  constructor() {
    const clock = { nowMs: () => this.nowMs, now: () => new Date(this.nowMs) };
    this.circuits = new Circuits({ failuresMax: 3, openMs: 1_000 }, clock, silentLogger);
    this.#providers = { openai: this.#provider('openai'), xai: this.#provider('xai') };
  }

  #outcome: Outcome = 'answer';

  #provider(id: 'openai' | 'xai'): Provider {
    const start = (_call: ModelCall, listener: ModelListener) => {
      const outcome = this.#outcome;
      if (outcome === 'answer') listener.onAnswer(answer);
      else listener.onFailure(new ProviderFailure({ provider: id, ...outcome }));
      return { pause() {}, resume() {}, abort: () => false };
    };
    return this.circuits.watch({ id, forwards: [], start, close: async () => {} });
  }

  call(id: 'openai' | 'xai', outcome: Outcome, times = 1): void {
    this.#outcome = outcome;
    for (let i = 0; i < times; i++) {
      this.#providers[id]!.start({ upstreamModel: 'm' } as ModelCall, new Recorder());
    }
  }

  order(...ids: ('openai' | 'xai')[]): string[] {
    const routes = ids.map((id) => ({ provider: this.#providers[id]!, upstreamModel: 'm' }));
    return this.circuits.inOrder(routes).map(({ provider }) => provider.id);
  }
}

describe('routes', () => {
  it('that fail go behind those that work, until one call has tried them again', () => {
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

  it('are all kept, whatever their record: an only route is never refused', () => {
    const scene = new Scene();
    scene.call('openai', broken, 9);
    scene.call('xai', broken, 9);
    expect(scene.order('openai')).toEqual(['openai']);
    expect(scene.order('openai', 'xai').sort()).toEqual(['openai', 'xai']);
  });

  it('are not tried again where they would not be the first', () => {
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
  ])('%j counts against its route: %s', (outcome, counts) => {
    const scene = new Scene();
    scene.call('openai', outcome, 3);
    expect(scene.order('openai', 'xai')).toEqual(counts ? ['xai', 'openai'] : ['openai', 'xai']);
  });

  it('have a record for each model', () => {
    const scene = new Scene();
    scene.call('openai', broken, 3);
    const other = { provider: { id: 'openai' } as Provider, upstreamModel: 'other' };
    const xai = { provider: { id: 'xai' } as Provider, upstreamModel: 'm' };
    expect(scene.circuits.inOrder([other, xai])).toEqual([other, xai]);
  });
});
