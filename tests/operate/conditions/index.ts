import { writeFileSync } from 'node:fs';
import { NO_CONNECTIONS } from '../stage.js';
import type { Condition } from './condition.js';
import { ledgerConditions } from './ledger.js';
import { partConditions } from './parts.js';
import { queueConditions } from './queues.js';

export type { Condition } from './condition.js';

const failingProvider: Condition = {
  how: 'the provider answers every call with 500',
  remedy: 'the provider recovers; a probe closes the circuit',
  async cause({ traffic }) {
    traffic.ask('fail with 500');
    return async () => traffic.ask(undefined);
  },
};

const brokenConnections: Condition = {
  how: 'an edit leaves CONNECTIONS_FILE without its last bracket',
  remedy: 'the log names the fault; the file is repaired',
  async cause({ connectionsFile }) {
    writeFileSync(connectionsFile, NO_CONNECTIONS.slice(0, -1));
    return async () => writeFileSync(connectionsFile, NO_CONNECTIONS);
  },
};

/** Conditions by alert, and by severity if an alert has two rules. */
export const conditions: Readonly<Record<string, Condition>> = {
  ...ledgerConditions,
  ...queueConditions,
  TollgateConnectionsFileInvalid: brokenConnections,
  TollgateProviderCircuitOpen: failingProvider,
  TollgateProviderFailures: failingProvider,
  ...partConditions,
};
