import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import type { RunFailure } from '../failure.js';
import { canonicalJson, type Json } from '../values/json.js';
import { resolvePointer } from '../values/json-pointer.js';
import type { NodeStatus } from './status.js';

/** A compiled condition. */
export interface Condition {
  source: 'node_output' | 'node_status';
  op: 'equals' | 'matches' | 'exists';
  /** Into the output, or into `{status, error}`; of a status the empty pointer names the word itself. */
  pointer: string;
  value?: Json;
}

/** How a node has ended, as conditions on the edges that leave it see it. */
export interface NodeEnd {
  status: Extract<NodeStatus, 'succeeded' | 'failed' | 'canceled'>;
  /** Of a succeeded node. */
  output?: Json;
  failure?: RunFailure | null;
}

/** Whether the condition holds. Output conditions hold of succeeded nodes alone. */
export function holds(condition: Condition, end: NodeEnd): boolean {
  if (condition.source === 'node_status') return compares(condition, statusOf(condition, end));
  return end.status === 'succeeded' && end.output !== undefined && compares(condition, end.output);
}

function statusOf({ pointer }: Condition, { status, failure }: NodeEnd): Json {
  if (pointer === '') return status;
  return failure ? { status, error: { code: failure.code, message: failure.message } } : { status };
}

/** A pattern looks at so many characters of a text: linear time is still time, and a run's row is locked meanwhile. */
const MATCHED_CHARS = 65_536;

/** The comparison alone: a pointer that finds nothing equals nothing and matches nothing. */
export function compares({ op, pointer, value }: Pick<Condition, 'op' | 'pointer' | 'value'>, document: Json): boolean {
  const found = resolvePointer(document, pointer);
  if (!found.found) return false;
  switch (op) {
    case 'exists':
      return true;
    case 'equals':
      return value !== undefined && canonicalJson(found.value) === canonicalJson(value);
    case 'matches':
      if (typeof found.value !== 'string' || typeof value !== 'string') return false;
      return patternOf(value).test(found.value.slice(0, MATCHED_CHARS));
  }
}

const patterns = new LRUCache<string, RE2JS>({ max: 500 });

/** RE2: its time is linear in the text, whatever the pattern. @throws Error for what is no pattern */
export function patternOf(source: string): RE2JS {
  const known = patterns.get(source);
  if (known) return known;
  const pattern = RE2JS.compile(source);
  patterns.set(source, pattern);
  return pattern;
}
