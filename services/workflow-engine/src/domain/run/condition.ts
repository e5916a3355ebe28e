import { LRUCache } from 'lru-cache';
import { RE2JS } from 're2js';
import type { RunFailure } from '../failure.js';
import { equalsJson, type Json } from '../values/json.js';
import { resolvePointer } from '../values/json-pointer.js';
import type { NodeStatus } from './status.js';

/** A compiled condition. */
export interface Condition {
  source: 'node_output' | 'node_status';
  op: 'equals' | 'matches' | 'exists';
  /** Points into the output, or into `{status, error}`, where the empty pointer refers to the status string. */
  pointer: string;
  value?: Json;
}

/** The end of a node, as the conditions of its outgoing edges see it. */
export interface NodeEnd {
  status: Extract<NodeStatus, 'succeeded' | 'failed' | 'canceled'>;
  /** Set for a succeeded node. */
  output?: Json;
  failure?: RunFailure | null;
}

/** Whether the condition holds. Conditions on the output hold only for succeeded nodes. */
export function holds(condition: Condition, end: NodeEnd): boolean {
  if (condition.source === 'node_status') return compares(condition, statusDocument(condition, end));
  return end.status === 'succeeded' && end.output !== undefined && compares(condition, end.output);
}

function statusDocument({ pointer }: Condition, { status, failure }: NodeEnd): Json {
  if (pointer === '') return status;
  return failure ? { status, error: { code: failure.code, message: failure.message } } : { status };
}

/** The most characters that a pattern is matched against. Matching takes linear time while the run's row is locked. */
const MATCHED_CHARS = 65_536;

/** Compares a document. A pointer that finds nothing equals nothing and matches nothing. */
export function compares({ op, pointer, value }: Pick<Condition, 'op' | 'pointer' | 'value'>, document: Json): boolean {
  const found = resolvePointer(document, pointer);
  if (!found.found) return false;
  switch (op) {
    case 'exists':
      return true;
    case 'equals':
      return value !== undefined && equalsJson(found.value, value);
    case 'matches':
      if (typeof found.value !== 'string' || typeof value !== 'string') return false;
      return compilePattern(value).test(found.value.slice(0, MATCHED_CHARS));
  }
}

const patterns = new LRUCache<string, RE2JS>({ max: 500 });

/** Compiles a pattern with RE2, whose time is linear for any pattern. @throws Error for an invalid pattern */
export function compilePattern(source: string): RE2JS {
  const known = patterns.get(source);
  if (known) return known;
  const pattern = RE2JS.compile(source);
  patterns.set(source, pattern);
  return pattern;
}
