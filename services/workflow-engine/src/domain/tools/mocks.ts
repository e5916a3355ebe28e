import { underscoredToolName } from '@tollgate/tools';
import { isJsonObject, type Json, type JsonObject } from '../values/json.js';

/** What the mocks of one tool have answered so far. */
export interface ServedMocks {
  count: number;
  /** Of an object that is looked up: keys that were asked for. */
  keys: ReadonlySet<string>;
}

export interface ServedMock {
  value: Json;
  /** Set when the mock was looked up. */
  key: string | null;
}

/** The mock for a tool, whichever spelling either has. */
export function mockFor(mocks: JsonObject, tool: string): { name: string; mock: Json } | undefined {
  const wanted = underscoredToolName(tool);
  const name = Object.keys(mocks).find((candidate) => underscoredToolName(candidate) === wanted);
  return name === undefined ? undefined : { name, mock: mocks[name] as Json };
}

/**
 * What a mock answers to a call; undefined once it has nothing left.
 *
 * - An array answers in its order, each entry once.
 * - An object answers with the value of the key that the call's `id` or `key` names, however often it is asked.
 * - Anything else, an object without that key too, is one answer for one call.
 */
export function serveMock(mock: Json, argumentsJson: string, served: ServedMocks): ServedMock | undefined {
  if (Array.isArray(mock)) {
    return served.count < mock.length ? { value: mock[served.count] as Json, key: null } : undefined;
  }
  const key = isJsonObject(mock) ? keyOf(mock, argumentsJson) : undefined;
  if (isJsonObject(mock) && key !== undefined) return { value: mock[key] as Json, key };
  return served.count === 0 ? { value: mock, key: null } : undefined;
}

/** How much of a mock was never asked for. */
export function unservedOf(mock: Json, served: ServedMocks): number {
  if (Array.isArray(mock)) return Math.max(0, mock.length - served.count);
  if (isJsonObject(mock) && served.keys.size > 0) return Object.keys(mock).length - served.keys.size;
  return served.count === 0 ? 1 : 0;
}

function keyOf(mock: JsonObject, argumentsJson: string): string | undefined {
  const args = parsed(argumentsJson);
  if (!isJsonObject(args)) return undefined;
  return [args.id, args.key].find((key) => typeof key === 'string' && Object.hasOwn(mock, key)) as string | undefined;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** One tool call of a run that tries an agent out. */
export interface MockedCall {
  tool: string;
  /** How many answers of mocks it took; none = it was no mock that answered. */
  served: number;
  key: string | null;
}

export interface MockReport {
  served: Record<string, number>;
  unconsumed: Record<string, number>;
  unmocked: Record<string, number>;
}

/** Which mocks were asked for, which never were, and which calls found none. Tools are named as the mocks name them. */
export function reportMocks(mocks: JsonObject, calls: readonly MockedCall[]): MockReport {
  const report: MockReport = { served: {}, unconsumed: {}, unmocked: {} };
  const counted = new Map<string, { count: number; keys: Set<string> }>();
  for (const { tool, served, key } of calls) {
    const name = mockFor(mocks, tool)?.name ?? tool;
    const into = served > 0 ? report.served : report.unmocked;
    into[name] = (into[name] ?? 0) + Math.max(1, served);
    const known = counted.get(name) ?? { count: 0, keys: new Set<string>() };
    known.count += served;
    if (key !== null) known.keys.add(key);
    counted.set(name, known);
  }
  for (const [name, mock] of Object.entries(mocks)) {
    const left = unservedOf(mock, counted.get(name) ?? { count: 0, keys: new Set() });
    if (left > 0) report.unconsumed[name] = left;
  }
  return report;
}
