import type { SpecIssue } from '@tollgate/errors';
import type { PlanInput } from '../plan/plan.js';
import { isJsonObject, type Json, type JsonObject, setMember } from './json.js';
import { toPointer } from './json-pointer.js';

export type InputValues = { ok: true; values: JsonObject } | { ok: false; issues: SpecIssue[] };

/**
 * Returns the values of all declared inputs: the run's value, otherwise the default or null. Ignores undeclared inputs.
 */
export function inputValues(declared: readonly PlanInput[], input: JsonObject): InputValues {
  const values: JsonObject = {};
  const issues: SpecIssue[] = [];
  for (const { name, type, required, default: fallback } of declared) {
    const path = toPointer(['input', name]);
    const value = Object.hasOwn(input, name) ? input[name] : undefined;
    if (value === undefined && required && fallback === undefined) {
      issues.push({ code: 'REQUIRED', path, message: 'is required by the workflow' });
    } else if (value !== undefined && !isOfType(value, type)) {
      issues.push({ code: 'INVALID_VALUE', path, message: `must be of type ${type}` });
    }
    setMember(values, name, value ?? fallback ?? null);
  }
  return issues.length > 0 ? { ok: false, issues } : { ok: true, values };
}

export function isOfType(value: Json, type: PlanInput['type']): boolean {
  switch (type) {
    case 'json':
      return true;
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return Number.isInteger(value?.valueOf());
    default:
      return typeof value?.valueOf() === type;
  }
}
