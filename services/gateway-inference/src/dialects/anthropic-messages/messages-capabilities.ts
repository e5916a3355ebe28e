import type { MessagesBody, MessagesUserBlock } from '@tollgate/api/compatible';
import type { Capability } from '../dialect.js';

/** Returns the capabilities that the body needs of its model. */
export function findCapabilities(body: MessagesBody): Capability[] {
  const needed = new Set<Capability>();
  for (const { role, content } of body.messages) {
    if (role === 'user' && typeof content !== 'string') addOfBlocks(content, needed);
  }
  if (body.tools && body.tools.length > 0) needed.add('tool_use');
  if (body.output_config?.format) needed.add('structured_output');
  return [...needed];
}

function addOfBlocks(blocks: readonly MessagesUserBlock[], needed: Set<Capability>): void {
  for (const block of blocks) {
    if (block.type === 'image') needed.add('vision');
    else if (block.type === 'tool_result' && typeof block.content === 'object') addOfBlocks(block.content, needed);
    else if (block.type === 'document') {
      const { source } = block;
      if (source.type === 'base64') needed.add('document');
      else if (source.type === 'content' && typeof source.content !== 'string') addOfBlocks(source.content, needed);
    }
  }
}
