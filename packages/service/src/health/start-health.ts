import { createPool } from '@tollgate/postgres';
import type pg from 'pg';
import type { BuiltService } from '../built-service.js';
import type { Parts } from '../parts.js';
import { toPeers } from '../peers.js';
import { CHECK_TIMEOUT_MS } from './dependency.js';
import { descriptorsCheck } from './descriptors-check.js';
import { databaseCheck, eventsCheck, peerCheck } from './standard-checks.js';

/** Adds the dependencies that every service has by its configuration, and starts to check all of them. */
export function startHealth(parts: Parts, built: BuiltService): void {
  const { config, health, network } = parts;
  health.watch({ ...databaseCheck(openCheckPool(parts)), isRequired: !built.servesWithoutDatabase });
  for (const { name, protoPackage } of toPeers(config.peers)) health.watch(peerCheck(name, protoPackage, network));
  if (config.events) {
    const name = config.events.KAFKA_BROKERS?.length ? 'kafka' : 'events';
    health.watch(eventsCheck(name, parts.openTransport));
  }
  if (!parts.sharesProcess) health.watch(descriptorsCheck());
  if (built.notReadyBecause) health.require(() => built.notReadyBecause?.());
  parts.keep(health);
  health.start();
}

/** Opens a separate connection, because a busy pool does not mean that the database has failed. */
function openCheckPool({ config, keep }: Parts): pg.Pool {
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
  keep({ stop: () => pool.end() });
  return pool;
}
