import { failed, ok, type Result } from '../failure.js';
import type { Subgraph } from '../plan/plan.js';
import { inputValues } from '../values/input-values.js';
import { isJsonObject, type Json, type JsonObject, parseJson, setMember } from '../values/json.js';
import { resolvePointer } from '../values/json-pointer.js';

/**
 * Reads the inputs of a fragment from the arguments of a tool call. An input whose pointer finds nothing is not set.
 */
export function fragmentInputs(
  { inputs }: Pick<Subgraph, 'inputs'>,
  pointers: Readonly<Record<string, string>>,
  argumentsJson: string,
): Result<JsonObject> {
  const args = parsed(argumentsJson);
  if (!isJsonObject(args)) return failed('INVALID_INPUT', 'the arguments are not a JSON object');
  const input: JsonObject = {};
  for (const [name, pointer] of Object.entries(pointers)) {
    const found = resolvePointer(args, pointer);
    if (found.found) setMember(input, name, found.value);
  }
  const values = inputValues(inputs, input);
  if (values.ok) return ok(values.values);
  const faults = values.issues.map(({ path, message }) => `${path} ${message}`);
  return failed('INVALID_INPUT', `invalid arguments: ${faults.join('; ')}`);
}

function parsed(json: string): Json | undefined {
  try {
    return parseJson(json.trim() || '{}');
  } catch {
    return undefined;
  }
}
