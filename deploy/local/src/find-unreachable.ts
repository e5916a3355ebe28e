import { setTimeout as sleep } from 'node:timers/promises';

/** Parts that variables add, by their names in `/readyz`, each with a remedy. */
const PARTS = [
  {
    name: 'kafka',
    variable: 'KAFKA_BROKERS',
    label: 'Kafka',
    remedy: 'Start it, or unset KAFKA_BROKERS to send events over PostgreSQL',
  },
  {
    name: 'redis',
    variable: 'REDIS_URL',
    label: 'Redis',
    remedy: 'Start it, or unset REDIS_URL to count limits in each process',
  },
];

const PAUSE_MS = 500;
/** Longer than the time after which a failing dependency counts as down. */
const TRIES_MAX = 40;

interface Dependency {
  name: string;
  state: string;
  reason?: string;
}

/** Returns one line for each part that the environment gives and that the edge with this health port cannot reach. */
export async function findUnreachable(
  healthUrl: string,
  env: NodeJS.ProcessEnv,
  pauseMs = PAUSE_MS,
): Promise<string[]> {
  const given = PARTS.filter(({ variable }) => env[variable]);
  let dependencies: Dependency[] = [];
  const findState = (name: string) => dependencies.find((dependency) => dependency.name === name);
  const isKnown = () => given.every(({ name }) => ['up', 'down'].includes(findState(name)?.state ?? ''));
  for (let tries = 0; tries < TRIES_MAX && !isKnown(); tries++) {
    if (tries > 0) await sleep(pauseMs);
    dependencies = await readDependencies(healthUrl).catch(() => dependencies);
  }
  return given.flatMap(({ name, variable, label, remedy }) => {
    const { state, reason = 'no answer' } = findState(name) ?? {};
    return state === 'up' ? [] : [`${variable}: ${label} cannot be reached (${reason}). ${remedy}.`];
  });
}

/** The answer of the health port: with `services` where several share it. */
interface Readiness {
  dependencies?: Dependency[];
  services?: Record<string, { dependencies: Dependency[] }>;
}

async function readDependencies(healthUrl: string): Promise<Dependency[]> {
  const response = await fetch(`${healthUrl}/readyz`, { signal: AbortSignal.timeout(2_000) });
  const { dependencies, services } = (await response.json()) as Readiness;
  return services?.['edge-gateway']?.dependencies ?? dependencies ?? [];
}
