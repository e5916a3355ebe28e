import { createPool } from '@tollgate/postgres';
import type { BuiltService } from '../built-service.js';
import type { Parts } from '../parts.js';
import { toPeers } from '../peers.js';
import { CHECK_TIMEOUT_MS } from './dependency.js';
import { databaseCheck, eventsCheck, peerCheck } from './standard-checks.js';

/** Adds the dependencies that every service has by its configuration, and starts to check all of them. */
export function startHealth(parts: Parts, built: BuiltService): void {
  const { config, health, network } = parts;
  // A separate connection, because a busy pool does not mean that the database has failed.
  const { url, schema } = config.database;
  const pool = createPool({
    url,
    schema,
    max: 1,
    applicationName: `${schema} health`,
    connectTimeoutMs: CHECK_TIMEOUT_MS,
    statementTimeoutMs: CHECK_TIMEOUT_MS,
    answerTimeoutMs: CHECK_TIMEOUT_MS,
  });
  parts.keep({ stop: () => pool.end() });
  health.watch({ ...databaseCheck(pool), isRequired: !built.servesWithoutDatabase });
  for (const { name, protoPackage } of toPeers(config.peers)) health.watch(peerCheck(name, protoPackage, network));
  if (config.events) {
    const name = config.events.KAFKA_BROKERS?.length ? 'kafka' : 'events';
    health.watch(eventsCheck(name, parts.openTransport));
  }
  if (built.notReadyBecause) health.require(() => built.notReadyBecause?.());
  parts.keep(health);
  health.start();
}
