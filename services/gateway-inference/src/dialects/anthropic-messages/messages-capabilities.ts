import {
  findFormat,
  isCustomTool,
  listMessagesTools,
  type MessagesBody,
  type MessagesTool,
  type MessagesToolResult,
  type MessagesUserBlock,
  toolKind,
} from '@tollgate/api/compatible';
import type { Capability } from '../dialect.js';

/** Returns the capabilities that the body needs of its model. */
export function findCapabilities(body: MessagesBody): Capability[] {
  const needed = new Set<Capability>();
  for (const { role, content } of body.messages) {
    if (role === 'user' && typeof content !== 'string') addOfBlocks(content, needed);
  }
  for (const tool of listMessagesTools(body)) needed.add(capabilityOfTool(tool));
  if (findFormat(body)) needed.add('structured_output');
  return [...needed];
}

function capabilityOfTool(tool: MessagesTool): Capability {
  return !isCustomTool(tool) && toolKind(tool.type) === 'search' ? 'web_search' : 'tool_use';
}

type Block = MessagesUserBlock | Exclude<NonNullable<MessagesToolResult['content']>, string>[number];

function addOfBlocks(blocks: readonly Block[], needed: Set<Capability>): void {
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
