import { workflowLimits } from '@tollgate/api/runs';
import { isJsonObject, type Json, setMember } from '../values/json.js';
import type { SizeBudget } from '../values/size-budget.js';

const PLACEHOLDER_LENGTH_MAX = workflowLimits.placeholderLength;

/** The name's length is bounded, so that a prompt full of braces is searched in linear time. */
const PLACEHOLDER = new RegExp(`\\{\\{([^{}]{1,${PLACEHOLDER_LENGTH_MAX}})\\}\\}`, 'g');

/** Returns a placeholder as it is written in a prompt. */
export function placeholderText(name: string): string {
  return `{{${name}}}`;
}

/** Returns all strings of the prompt, at any depth of the request's `input`. */
export function promptTexts(request: Json): string[] {
  const texts: string[] = [];
  const visit = (value: Json | undefined): void => {
    if (typeof value === 'string') texts.push(value);
    else if (Array.isArray(value)) value.forEach(visit);
    else if (isJsonObject(value)) Object.values(value).forEach(visit);
  };
  if (isJsonObject(request)) visit(request.input);
  return texts;
}

/**
 * Fills all placeholders of the prompt in one pass, so that inserted text is never searched for placeholders. Returns
 * false when the result would exceed the budget.
 */
export function fillPlaceholders(request: Json, values: ReadonlyMap<string, string>, budget: SizeBudget): boolean {
  if (values.size === 0 || !isJsonObject(request) || request.input === undefined) return true;
  let fits = true;
  const replace = (whole: string, name: string): string => {
    const value = values.get(name);
    if (value === undefined || !fits) return whole;
    fits = budget.takes(value);
    return fits ? value : whole;
  };
  request.input = mapTexts(request.input, (text) => text.replaceAll(PLACEHOLDER, replace));
  return fits;
}

function mapTexts(value: Json, map: (text: string) => string): Json {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((entry) => mapTexts(entry, map));
  if (isJsonObject(value)) {
    for (const [key, entry] of Object.entries(value)) setMember(value, key, mapTexts(entry, map));
  }
  return value;
}
