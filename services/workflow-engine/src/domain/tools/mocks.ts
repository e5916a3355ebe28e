import { underscoredToolName } from '@tollgate/tools';
import { isJsonObject, type Json, type JsonObject } from '../values/json.js';

/** The answers that one tool's mock has given so far. */
export interface ServedMocks {
  count: number;
  /** The keys that were looked up, for a mock that is an object. */
  keys: ReadonlySet<string>;
}

export interface ServedMock {
  value: Json;
  /** The key, when the mock was looked up by key. */
  key: string | null;
}

/** Finds the mock for a tool, in either spelling of its name. */
export function mockFor(mocks: JsonObject, tool: string): { name: string; mock: Json } | undefined {
  const wanted = underscoredToolName(tool);
  const name = Object.keys(mocks).find((candidate) => underscoredToolName(candidate) === wanted);
  return name === undefined ? undefined : { name, mock: mocks[name] as Json };
}

/**
 * Returns a mock's answer to a call; undefined when no answer is left.
 *
 * - An array answers in order, each entry once.
 * - An object answers with the value of the key in the call's `id` or `key` argument, any number of times.
 * - Any other value, and an object without that key, answers one call.
 */
export function serveMock(mock: Json, argumentsJson: string, served: ServedMocks): ServedMock | undefined {
  if (Array.isArray(mock)) {
    return served.count < mock.length ? { value: mock[served.count] as Json, key: null } : undefined;
  }
  const key = isJsonObject(mock) ? findKey(mock, argumentsJson) : undefined;
  if (isJsonObject(mock) && key !== undefined) return { value: mock[key] as Json, key };
  return served.count === 0 ? { value: mock, key: null } : undefined;
}

/** Returns the number of unused answers of a mock. */
export function countUnserved(mock: Json, served: ServedMocks): number {
  if (Array.isArray(mock)) return Math.max(0, mock.length - served.count);
  if (isJsonObject(mock) && served.keys.size > 0) return Object.keys(mock).length - served.keys.size;
  return served.count === 0 ? 1 : 0;
}

function findKey(mock: JsonObject, argumentsJson: string): string | undefined {
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

/** One tool call of a run that tests an agent. */
export interface MockedCall {
  tool: string;
  /** Number of mock answers that the call used; 0 when no mock answered it. */
  served: number;
  key: string | null;
}

export interface MockReport {
  served: Record<string, number>;
  unconsumed: Record<string, number>;
  unmocked: Record<string, number>;
}

/** Reports used mocks, unused mocks, and calls without a mock. Uses the mocks' spelling of tool names. */
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
    const left = countUnserved(mock, counted.get(name) ?? { count: 0, keys: new Set() });
    if (left > 0) report.unconsumed[name] = left;
  }
  return report;
}
