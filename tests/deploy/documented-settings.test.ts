// Every setting that a README documents has an effect: another value changes the service's configuration or is refused.
import { readFileSync } from 'node:fs';
import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { eventsFields } from '@tollgate/events';
import { type Environment, root, services } from './chart.js';
import { composeEnvironment } from './compose.js';
import { configReader } from './config-reader.js';

const EVENT_SETTINGS = Object.keys(eventsFields);
const readers = new Map<string, Awaited<ReturnType<typeof configReader>>>();
// One at a time: the test runner cannot link two module graphs that overlap.
for (const service of services) readers.set(service, await configReader(service));

/** Settings that matter only together with others. */
const COMPANIONS: Environment = {
  DEV_MODE: '1',
  STRIPE_SECRET_KEY: 'sk_test',
  STRIPE_WEBHOOK_SECRET: 'whsec_test',
  OAUTH_GITHUB_CLIENT_ID: 'id',
  OAUTH_GITHUB_CLIENT_SECRET: 'secret',
  OAUTH_GOOGLE_CLIENT_ID: 'id',
  OAUTH_GOOGLE_CLIENT_SECRET: 'secret',
  IMAGE_STORAGE_S3_ENDPOINT: 'https://s3.example.com',
  IMAGE_STORAGE_S3_BUCKET: 'bucket',
  IMAGE_STORAGE_S3_ACCESS_KEY_ID: 'id',
  IMAGE_STORAGE_S3_SECRET_ACCESS_KEY: 'secret',
  WEB_SEARCH_BACKEND: 'brave',
  WEB_SEARCH_API_KEY: 'key',
};

/** At least one of these is a valid value that differs from the current one, for every type of setting. */
const OTHER_VALUES = ['0', '1', '29', '31s', 'other', 'https://other.example.com', 'postgresql://other/db'];

describe.each(services)('%s', (service) => {
  const composed = composeEnvironment(service);

  it.each(settingsWanted(service))('has a setting %s', (name) => {
    const outcomes: boolean[] = [];
    for (const base of [composed, { ...composed, ...COMPANIONS }]) {
      const present = configuration(service, base);
      for (const value of OTHER_VALUES) {
        outcomes.push(configuration(service, { ...base, [name]: value }) !== present);
      }
    }
    expect(outcomes).toContain(true);
  });
});

it('lists every event setting in the README of packages/events', () => {
  expect(readSettings(`${root}packages/events/README.md`, EVENT_SETTINGS).sort()).toEqual([...EVENT_SETTINGS].sort());
});

/** Returns the configuration as text, or the reason why it is refused. */
function configuration(service: string, environment: Environment): string {
  try {
    return inspect(readers.get(service)!(environment), { depth: null, maxArrayLength: null });
  } catch (error) {
    return String(error);
  }
}

/** Returns the settings that the README documents and, for a service that uses events, every event setting. */
function settingsWanted(service: string): string[] {
  const { dependencies } = JSON.parse(readFileSync(`${root}services/${service}/package.json`, 'utf8'));
  const eventSettings = Object.hasOwn(dependencies, '@tollgate/events') ? EVENT_SETTINGS : [];
  const documented = readSettings(`${root}services/${service}/README.md`, readers.get(service)!.variables);
  return [...new Set([...documented, ...eventSettings])];
}

/** The settings in the tables of a README: `A_{B,C}` is two; `*` and `…` stand for all known ones of that form. */
function readSettings(readme: string, known: readonly string[]): string[] {
  const rows = [...readFileSync(readme, 'utf8').matchAll(/\| Variable .*\n(?:\|.*\n)+/g)].flatMap(([table]) =>
    table.split('\n').slice(2),
  );
  const cells = rows.map((row) => row.split('|')[1] ?? '');
  const tokens = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, token = '']) => token));
  const names = tokens.filter((token) => /^[A-Z0-9_*…{},]+$/.test(token)).flatMap(alternatives);
  const settings = names.flatMap((name) => {
    if (!/[*…]/.test(name)) return [name];
    const form = new RegExp(`^${name.replaceAll(/[*…]/g, '.+')}$`);
    const found = known.filter((other) => form.test(other));
    return found.length > 0 ? found : [name];
  });
  return [...new Set(settings)];
}

function alternatives(name: string): string[] {
  const [whole, before = '', choices = '', after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(name) ?? [];
  return whole === undefined ? [name] : choices.split(',').flatMap((choice) => alternatives(before + choice + after));
}
