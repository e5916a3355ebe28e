import type { Clock, Logger } from '@tollgate/runtime';
import { Circuit, type CircuitLimits, type CircuitState } from '../domain/circuit.js';
import type { ModelAnswer, TokenUsage } from '../domain/model-answer.js';
import type { ProviderFailure } from '../domain/provider-failure.js';
import type { ModelCall, ModelExchange, ModelListener, Provider } from './contract/provider.js';

/** A model at a provider. */
interface Route {
  provider: Provider;
  upstreamModel: string;
}

/**
 * Keeps the record of every route and puts those that fail behind those that work. A route is never refused: where there
 * is no other, it is tried, and its own answer says more than ours could.
 */
export class Circuits {
  readonly #limits: CircuitLimits;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #byRoute = new Map<string, Circuit>();

  constructor(limits: CircuitLimits, clock: Clock, logger: Logger) {
    this.#limits = limits;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** The provider, with the outcome of its calls on record. */
  watch(provider: Provider): Provider {
    return new WatchedProvider(provider, this);
  }

  /** Routes in use in their order, then those to be avoided. */
  inOrder<Item extends Route>(routes: readonly Item[]): readonly Item[] {
    if (routes.length < 2) return routes;
    const nowMs = this.#clock.nowMs();
    const avoided: Item[] = [];
    const used = routes.filter((route) => {
      // A probe is for the first in line: behind a route in use it would learn nothing.
      const isFirst = avoided.length === routes.indexOf(route);
      const circuit = this.#circuitOf(route.provider.id, route.upstreamModel);
      const before = circuit.state;
      if (before === 'closed' || (isFirst && circuit.admits(nowMs))) {
        this.#tell(before, circuit, route.provider.id, route.upstreamModel);
        return true;
      }
      avoided.push(route);
      return false;
    });
    return avoided.length === 0 ? routes : [...used, ...avoided];
  }

  succeeded(provider: string, upstreamModel: string): void {
    const circuit = this.#circuitOf(provider, upstreamModel);
    const before = circuit.state;
    circuit.succeeded();
    this.#tell(before, circuit, provider, upstreamModel);
  }

  failed(provider: string, upstreamModel: string): void {
    const circuit = this.#circuitOf(provider, upstreamModel);
    const before = circuit.state;
    circuit.failed(this.#clock.nowMs());
    this.#tell(before, circuit, provider, upstreamModel);
  }

  /** As many as the catalog has routes. */
  #circuitOf(provider: string, upstreamModel: string): Circuit {
    const key = `${provider}/${upstreamModel}`;
    const known = this.#byRoute.get(key);
    if (known) return known;
    const circuit = new Circuit(this.#limits);
    this.#byRoute.set(key, circuit);
    return circuit;
  }

  #tell(before: CircuitState, { state }: Circuit, provider: string, upstream_model: string): void {
    if (state === before) return;
    const facts = { provider, upstream_model, circuit: state };
    if (state === 'open') this.#logger.warn(facts, 'a route fails and is avoided');
    else this.#logger.info(facts, state === 'closed' ? 'a route works again' : 'a route is tried again');
  }
}

/** Failures that say something about the route, not about the request or our account. */
function isOfRoute({ kind, status = 0 }: ProviderFailure): boolean {
  if (kind === 'timeout' || kind === 'transport' || kind === 'invalid_response') return true;
  return kind === 'response' && (status >= 500 || status === 429 || status === 408);
}

class WatchedProvider implements Provider {
  readonly #provider: Provider;
  readonly #circuits: Circuits;

  constructor(provider: Provider, circuits: Circuits) {
    this.#provider = provider;
    this.#circuits = circuits;
  }

  get id(): Provider['id'] {
    return this.#provider.id;
  }

  get forwards(): Provider['forwards'] {
    return this.#provider.forwards;
  }

  start(call: ModelCall, listener: ModelListener): ModelExchange {
    return this.#provider.start(call, new WatchedListener(listener, this.id, call.upstreamModel, this.#circuits));
  }

  close(): Promise<void> {
    return this.#provider.close();
  }
}

class WatchedListener implements ModelListener {
  readonly #listener: ModelListener;
  readonly #provider: string;
  readonly #upstreamModel: string;
  readonly #circuits: Circuits;

  constructor(listener: ModelListener, provider: string, upstreamModel: string, circuits: Circuits) {
    this.#listener = listener;
    this.#provider = provider;
    this.#upstreamModel = upstreamModel;
    this.#circuits = circuits;
  }

  onOpen(): void {
    this.#listener.onOpen();
  }

  onText(delta: string): void {
    this.#listener.onText(delta);
  }

  onToolCall(index: number, id: string, name: string): void {
    this.#listener.onToolCall(index, id, name);
  }

  onToolArguments(index: number, delta: string): void {
    this.#listener.onToolArguments(index, delta);
  }

  onForward(data: string, text: string, isLast: boolean, name?: string): void {
    this.#listener.onForward(data, text, isLast, name);
  }

  onUsage(usage: TokenUsage): void {
    this.#listener.onUsage(usage);
  }

  onAnswer(answer: ModelAnswer): void {
    this.#circuits.succeeded(this.#provider, this.#upstreamModel);
    this.#listener.onAnswer(answer);
  }

  onFailure(failure: ProviderFailure): void {
    if (isOfRoute(failure)) this.#circuits.failed(this.#provider, this.#upstreamModel);
    this.#listener.onFailure(failure);
  }
}
