import { type ResponsesBody, responsesBody } from '@tollgate/api/model-requests';
import { failed, ok, type Result, type RunFailure } from '../failure.js';
import { limits } from '../limits.js';
import type { Binding, ModelNode } from '../plan/plan.js';
import { copyJson, type Json, type JsonObject, writeJson } from '../values/json.js';
import { assignAtPointer, toPointer } from '../values/json-pointer.js';
import { type NodeOutputs, readSource } from '../values/read-source.js';
import { safeParse } from '../values/safe-parse.js';
import { SizeBudget } from '../values/size-budget.js';
import { fillPlaceholders } from './placeholders.js';

/** Builds the request of a model step: the node's body with all bindings filled in. Validates the result. */
export function bindRequest(node: ModelNode, outputs: NodeOutputs, modelOverride?: string): Result<ResponsesBody> {
  const request = copyJson(node.request) as JsonObject;
  const placeholders = new Map<string, string>();
  const budget = new SizeBudget(limits.boundBytes);
  for (const binding of node.bindings) {
    const source = readSource(outputs, binding);
    if (!source.ok) return source;
    if (binding.to_placeholder !== undefined) {
      placeholders.set(binding.to_placeholder, placeholderValue(binding, source.value));
      continue;
    }
    if (!budget.takes(source.value)) return tooLarge();
    if (!assignAtPointer(request, binding.to, boundValue(binding, source.value))) {
      return failed('POINTER_NOT_FOUND', `the request has no location "${binding.to}"`);
    }
  }
  if (!fillPlaceholders(request, placeholders, budget)) return tooLarge();
  if (modelOverride !== undefined) request.model = modelOverride;
  return validate(request);
}

function tooLarge(): { ok: false; failure: RunFailure } {
  return failed('PAYLOAD_TOO_LARGE', `bindings may add at most ${limits.boundBytes} bytes to a request`);
}

/** Inserts a string as text, unless the binding's encoding is JSON. */
function placeholderValue(binding: Binding, value: Json): string {
  return typeof value === 'string' && binding.encoding === undefined ? value : writeJson(value);
}

function boundValue(binding: Binding, value: Json): Json {
  // Copies the value: two bindings of one value must not share an object that a third one modifies.
  return binding.encoding === 'json_string' ? writeJson(value) : copyJson(value);
}

function validate(request: JsonObject): Result<ResponsesBody> {
  const result = safeParse(responsesBody, request);
  if (result.success) return ok(result.data);
  const faults = result.error.issues.slice(0, 5).map((issue) => `${toPointer(issue.path) || '/'}: ${issue.message}`);
  return failed('VALIDATION_ERROR', `the request is not valid once its bindings are filled in: ${faults.join('; ')}`);
}
