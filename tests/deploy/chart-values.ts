// The table of values in the chart's README, made from the schema (meaning) and values.yaml (default).
import { readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { chartFolder } from './chart.js';

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  $ref?: string;
}

export interface ValueRow {
  name: string;
  default: unknown;
  meaning: string | undefined;
}

export const readmeFile = `${chartFolder}/README.md`;
const schema = JSON.parse(readFileSync(`${chartFolder}/values.schema.json`, 'utf8'));
const defaults = load(readFileSync(`${chartFolder}/values.yaml`, 'utf8')) as Record<string, unknown>;
const START = '<!-- values: npx tsx tests/deploy/write-chart-values.ts -->';
const END = '<!-- end of values -->';

/** Every value, top-level ones first; what has a description is one row, with all that is below it. */
export function chartValues(): ValueRow[] {
  const { services, ...others } = schema.properties;
  const [name = '', service] = Object.entries(services.properties as Record<string, Schema>)[0] ?? [];
  const ofService = toRows('', findDefinition(service as Schema), (defaults.services as Record<string, unknown>)[name]);
  return [
    ...toRows('', { properties: others }, defaults),
    ...ofService.map((row) => ({ ...row, name: `services.<name>.${row.name}`, default: commonDefault(row.name) })),
  ];
}

/** Returns the README with its table of values replaced. */
export function withValuesTable(readme: string): string {
  const [before = '', rest = ''] = readme.split(START);
  const [, after = ''] = rest.split(END);
  const lines = chartValues().map(
    ({ name, meaning, default: value }) => `| \`${name}\` | ${shown(value)} | ${meaning} |`,
  );
  return `${before}${START}\n\n| Value | Default | Meaning |\n|---|---|---|\n${lines.join('\n')}\n\n${END}${after}`;
}

function toRows(prefix: string, node: Schema, value: unknown): ValueRow[] {
  return Object.entries(node.properties ?? {}).flatMap(([key, child]) => {
    const name = prefix === '' ? key : `${prefix}.${key}`;
    const own = (value as Record<string, unknown> | undefined)?.[key];
    const { properties } = findDefinition(child);
    if (child.description !== undefined || !properties) return [{ name, default: own, meaning: child.description }];
    return toRows(name, { properties }, own);
  });
}

function findDefinition(node: Schema): Schema {
  const name = node.$ref?.split('/').at(-1);
  return name === undefined ? node : schema.definitions[name];
}

/** Returns the default that all services have; where they differ, says so. */
function commonDefault(key: string): unknown {
  const all = Object.values(defaults.services as Record<string, Record<string, unknown>>).map((each) => each[key]);
  return all.every((each) => JSON.stringify(each) === JSON.stringify(all[0])) ? all[0] : DIFFERS;
}

const DIFFERS = Symbol('differs');

function shown(value: unknown): string {
  if (value === DIFFERS) return 'see values.yaml';
  if (value === undefined) return 'unset';
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value);
  return `\`${text.replaceAll(/"(\w+)":/g, '$1: ').replaceAll(',', ', ')}\``;
}
