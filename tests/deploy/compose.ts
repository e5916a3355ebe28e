// Reads deploy/compose.yaml as Compose does, variables not yet filled in.
import { readFileSync } from 'node:fs';
import { load, YAML11_SCHEMA } from 'js-yaml';
import { root } from './chart.js';

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
