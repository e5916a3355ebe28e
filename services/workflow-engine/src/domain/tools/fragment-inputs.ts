import { failed, ok, type Result } from '../failure.js';
import type { Subgraph } from '../plan/plan.js';
import { inputValues } from '../values/input-values.js';
import { isJsonObject, type Json, type JsonObject, setMember } from '../values/json.js';
import { resolvePointer } from '../values/json-pointer.js';

/** The inputs of a fragment from the arguments of a tool call. What a pointer does not find was not given. */
export function fragmentInputs(
  { inputs }: Pick<Subgraph, 'inputs'>,
  pointers: Readonly<Record<string, string>>,
  argumentsJson: string,
): Result<JsonObject> {
  const args = parsed(argumentsJson);
  if (!isJsonObject(args)) return failed('INVALID_INPUT', 'the arguments are not a JSON object');
  const given: JsonObject = {};
  for (const [name, pointer] of Object.entries(pointers)) {
    const found = resolvePointer(args, pointer);
    if (found.found) setMember(given, name, found.value);
  }
  const values = inputValues(inputs, given);
  if (values.ok) return ok(values.values);
  const faults = values.issues.map(({ path, message }) => `${path} ${message}`);
  return failed('INVALID_INPUT', `invalid arguments: ${faults.join('; ')}`);
}

function parsed(json: string): Json | undefined {
  try {
    return JSON.parse(json.trim() || '{}') as Json;
  } catch {
    return undefined;
  }
}
