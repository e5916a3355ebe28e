// Reads deploy/compose.yaml as Compose does, before variables are substituted.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { type Environment, root } from './chart.js';

export interface ComposeFile {
  services: Record<string, ComposeService>;
  networks: Record<string, object>;
}

export interface ComposeService {
  build?: object;
  ports?: string[];
  networks?: string[];
  environment?: Record<string, string | number>;
}

export function readCompose(): ComposeFile {
  // The older schema is the one with merge keys (`<<`).
  return load(readFileSync(`${root}deploy/compose.yaml`, 'utf8'), { schema: YAML11_SCHEMA }) as ComposeFile;
}

/** Returns the environment of a service's container with the .env that make-env.mjs prints. */
export function composeEnvironment(service: string): Environment {
  const given = madeEnvironment();
  const entries = Object.entries(readCompose().services[service]?.environment ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, interpolate(String(value), given)]));
}

/** What make-env.mjs prints, as Compose reads it. */
function madeEnvironment(): Environment {
  const text = execFileSync(process.execPath, [`${root}deploy/make-env.mjs`], { encoding: 'utf8' });
  const lines = text.matchAll(/^([A-Z0-9_]+)=(?:'(.*)'|(.*))$/gm);
  return Object.fromEntries([...lines].map(([, name = '', quoted, plain]) => [name, quoted ?? plain ?? '']));
}

/** `${NAME:-default}` and `${NAME:?message}`, an empty variable counting as unset. */
function interpolate(value: string, given: Environment): string {
  return value.replaceAll(/\$\{([A-Z0-9_]+):([-?])([^}]*)\}/g, (_, name: string, kind: string, rest: string) => {
    if (given[name]) return given[name];
    if (kind === '?') throw new Error(`${name} is required: ${rest}`);
    return rest;
  });
}
