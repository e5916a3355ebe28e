import type { Tollgate } from '../client.js';
import { Query } from './query.js';

export type Queries = ReturnType<typeof makeQueries>;

/** Of each client, so that all components show the same answer. */
const queriesByClient = new WeakMap<Tollgate, Queries>();

export function findQueries(client: Tollgate): Queries {
  const existing = queriesByClient.get(client);
  if (existing) return existing;
  const made = makeQueries(client);
  queriesByClient.set(client, made);
  return made;
}

function makeQueries(client: Tollgate) {
  return {
    usage: new Query(async (signal) => (await client.getMyUsage({ signal })).usage),
    balance: new Query((signal) => client.getMyBalance({ signal })),
    customer: new Query((signal) => client.getMe({ signal })),
  };
}
