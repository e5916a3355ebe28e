import type { ChatCompletionsBody } from '@tollgate/api/compatible';
import { AppError } from '@tollgate/errors';
import type { Capability } from '../dialect.js';

/** Options with separate prices at the provider, which neither the catalog nor the hold knows. */
const unpriced: Record<string, (value: unknown) => boolean> = {
  audio: isSet,
  // xAI's own.
  search_parameters: isSet,
  modalities: (value) => Array.isArray(value) && value.some((entry) => entry !== 'text'),
  web_search_options: isSet,
};

/** Returns the capabilities that the body needs of its model. @throws AppError for options whose cost is unknown */
export function findCapabilities(body: ChatCompletionsBody): Capability[] {
  refuseUnpricedOptions(body);
  const needed = new Set<Capability>();
  for (const { content } of body.messages) {
    if (!Array.isArray(content)) continue;
    for (const part of content) {
      if (part.type === 'image_url') needed.add('vision');
      else if (part.type === 'input_audio') needed.add('audio');
      else if (part.type === 'file') needed.add('document');
    }
  }
  if (body.tools && body.tools.length > 0) needed.add('tool_use');
  if (body.response_format && body.response_format.type !== 'text') needed.add('structured_output');
  return [...needed];
}

/** @throws AppError VALIDATION_ERROR for options that could not be charged correctly */
function refuseUnpricedOptions(body: ChatCompletionsBody): void {
  for (const [field, asksForIt] of Object.entries(unpriced)) {
    if (!asksForIt(body[field])) continue;
    const message = `${field} is not supported: it has no price in the catalog`;
    throw new AppError('VALIDATION_ERROR', message, { fields: [{ field, message }] });
  }
}

function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}
