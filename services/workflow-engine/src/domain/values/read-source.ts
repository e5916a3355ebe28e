import { failed, ok, type Result } from '../failure.js';
import type { Source } from '../plan/plan.js';
import type { Json } from './json.js';
import { resolvePointer } from './json-pointer.js';

/** Outputs of succeeded nodes, by node id. */
export type NodeOutputs = ReadonlyMap<string, Json>;

/** Reads the value of a source. A pointer that finds nothing is a failure. */
export function readSource(outputs: NodeOutputs, source: Source): Result<Json> {
  const output = outputs.get(source.from);
  if (output === undefined) throw new Error(`the output of ${source.from} was not loaded`);
  const resolved = resolvePointer(output, source.pointer);
  if (resolved.found) return ok(resolved.value);
  return failed('POINTER_NOT_FOUND', `the output of ${source.from} has no value at "${source.pointer}"`);
}
