// The schemas of a backup, and their databases.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);

/**
 * The schemas in the order in which their states are taken: what refers to something before what it refers to. A run's
 * step is never newer than its hold, and every project, account and key that appears anywhere is in the edge's state.
 */
const SERVICES = [
  'hooks-webhooks',
  'messaging',
  'agent-registry',
  'gateway-inference',
  'workflow-engine',
  'billing-ledger',
  'edge-gateway',
];

/** The events on their way, where there is no Kafka. Before all services: an event that it lacks is published again. */
const EVENT_LOG = { service: 'events', schema: 'tollgate_events' };

/** Where each schema is: `{ service, schema, url }`. `url` is undefined for the database of the Compose file. */
export function readSources(env, { isCompose }) {
  const common = env.DATABASE_URL;
  const places = SERVICES.map((service) => {
    const prefix = service.toUpperCase().replaceAll('-', '_');
    const url = env[`${prefix}_DATABASE_URL`] ?? common;
    if (!isCompose && url === undefined) {
      throw new Error(`set DATABASE_URL, or ${prefix}_DATABASE_URL and so on for a database per service`);
    }
    return { service, schema: env[`${prefix}_DATABASE_SCHEMA`] ?? service.replaceAll('-', '_'), url };
  });
  const events = { ...EVENT_LOG, url: env.EVENTS_DATABASE_URL ?? common ?? places[0].url };
  return [events, ...places];
}

/** The migrations of this version and those that they replace, by service. */
export function knownMigrations() {
  return new Map(
    SERVICES.map((service) => {
      const folder = new URL(`services/${service}/prisma/migrations/`, ROOT);
      const names = readdirSync(folder).filter((name) => /^\d{14}_/.test(name));
      const replaced = names.flatMap((name) => {
        const sql = readFileSync(new URL(`${name}/migration.sql`, folder), 'utf8');
        return [...sql.matchAll(/^-- replaces (\S+)$/gm)].map((match) => match[1]);
      });
      return [service, new Set([...names, ...replaced])];
    }),
  );
}

export function productVersion() {
  return JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')).version;
}

/** The address of the database that `npm start` has started. */
export function localUrl(env) {
  const home = env.TOLLGATE_HOME ?? fileURLToPath(new URL('.local', ROOT));
  try {
    return JSON.parse(readFileSync(`${home}/tollgate.json`, 'utf8')).postgres_url;
  } catch {
    throw new Error(`${home}/tollgate.json is missing: start the stack with npm start first`);
  }
}

export const COMPOSE_FILE = fileURLToPath(new URL('deploy/compose.yaml', ROOT));
