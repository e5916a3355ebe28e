import type { ChatCompletionsBody } from '@tollgate/api';
import { AppError } from '@tollgate/errors';

/** Options that make a provider charge by prices of their own, which neither the catalog nor the hold knows. */
const unpriced: Record<string, (value: unknown) => boolean> = {
  audio: isSet,
  // xAI's own.
  search_parameters: isSet,
  modalities: (value) => Array.isArray(value) && value.some((entry) => entry !== 'text'),
  service_tier: (value) => value === 'priority' || value === 'scale',
  web_search_options: isSet,
};

/** @throws AppError VALIDATION_ERROR: usage that could not be charged rightly is not bought. */
export function refuseUnpricedOptions(body: ChatCompletionsBody): void {
  for (const [field, asksForIt] of Object.entries(unpriced)) {
    if (!asksForIt(body[field])) continue;
    const message = `${field} is not supported: it has no price here`;
    throw new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
  }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
