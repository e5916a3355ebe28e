import {
  type CompatibleResponsesBody,
  isResponsesOutput,
  isWebSearch,
  listResponsesTools,
  outputContent,
  type ResponsesContentPart,
} from '@tollgate/api/compatible';
import type { Capability } from '../dialect.js';

/** Returns the capabilities that the body needs of its model. */
export function findCapabilities(body: CompatibleResponsesBody): Capability[] {
  const needed = new Set<Capability>();
  if (typeof body.input !== 'string') {
    for (const item of body.input) {
      if (isResponsesOutput(item)) addOfContent(outputContent(item), needed);
      else if (item.type === undefined || item.type === 'message') addOfContent(item.content, needed);
    }
  }
  for (const { tool } of listResponsesTools(body)) needed.add(isWebSearch(tool) ? 'web_search' : 'tool_use');
  if (body.text?.format && body.text.format.type !== 'text') needed.add('structured_output');
  return [...needed];
}

function addOfContent(content: string | readonly ResponsesContentPart[], needed: Set<Capability>): void {
  if (typeof content === 'string') return;
  for (const part of content) {
    if (part.type === 'input_image') needed.add('vision');
    else if (part.type === 'input_file') needed.add('document');
  }
}
