import type { ChatCompletionsBody } from '@tollgate/api/compatible';
import { AppError } from '@tollgate/errors';

/** Options with separate prices at the provider, which neither the catalog nor the hold knows. */
const unpriced: Record<string, (value: unknown) => boolean> = {
  audio: isSet,
  // xAI's own.
  search_parameters: isSet,
  modalities: (value) => Array.isArray(value) && value.some((entry) => entry !== 'text'),
  service_tier: (value) => value === 'priority' || value === 'scale',
  web_search_options: isSet,
};

/** @throws AppError VALIDATION_ERROR for options that could not be charged correctly */
export function refuseUnpricedOptions(body: ChatCompletionsBody): void {
  for (const [field, asksForIt] of Object.entries(unpriced)) {
    if (!asksForIt(body[field])) continue;
    const message = `${field} is not supported: it has no price in the catalog`;
    throw new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
  }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
