import type { ChatCompletionsBody } from '@tollgate/api/compatible';
import type { Capability } from '../dialect.js';
import { refuseUnpricedOptions } from './unpriced-options.js';

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
