import type { ProviderId } from '@tollgate/api';
import { type Catalog, loadCatalog } from '@tollgate/catalog';
import { BillingService } from '@tollgate/contracts/billing/v1/billing_pb.js';
import type { Client, Network } from '@tollgate/rpc';
import type { Clock, Logger } from '@tollgate/runtime';
import { Settlements } from './clients/settlements.js';
import type { Config, ProviderAccess } from './config.js';
import { guardedLookup } from './providers/guarded-lookup.js';
import { OpenAiProvider } from './providers/openai/openai-provider.js';
import type { Provider } from './providers/provider.js';
import { SandboxProvider } from './providers/sandbox/sandbox-provider.js';
import type { WatchedTurn } from './workers/turn-watch.js';

export interface Context {
  config: Config;
  logger: Logger;
  clock: Clock;
  catalog: Catalog;
  /** Those that the configuration names. */
  providers: ReadonlyMap<ProviderId, Provider>;
  billing: Client<typeof BillingService>;
  settlements: Settlements;
  /** Turns that have begun and are not settled yet. */
  liveTurns: Set<WatchedTurn>;
}

export interface ContextParts {
  config: Config;
  logger: Logger;
  clock: Clock;
  network: Network;
}

/** The only place that constructs. @throws CatalogError */
export function createContext({ config, logger, clock, network }: ContextParts): Context {
  const billing = network.client(BillingService);
  return {
    config,
    logger,
    clock,
    catalog: loadCatalog({
      sandbox: config.sandbox,
      ...(config.catalogFile === undefined ? {} : { overrideFile: config.catalogFile }),
    }),
    providers: new Map(configuredProviders(config).map((provider) => [provider.id, provider])),
    billing,
    settlements: new Settlements({ billing, logger, retryForMs: config.settleRetryForMs }),
    liveTurns: new Set(),
  };
}

function configuredProviders(config: Config): Provider[] {
  const providers: Provider[] = [];
  if (config.sandbox) providers.push(new SandboxProvider());
  if (config.openai) providers.push(openAiCompatible('openai', config.openai, config));
  if (config.xai) providers.push(openAiCompatible('xai', config.xai, config));
  return providers;
}

/** xAI speaks OpenAI's chat completions. */
function openAiCompatible(provider: ProviderId, { apiKey, baseUrl }: ProviderAccess, config: Config): Provider {
  const lookup = guardedLookup(config.allowPrivateEndpoints);
  return new OpenAiProvider({ provider, apiKey, baseUrl, lookup, ...config.upstream });
}
