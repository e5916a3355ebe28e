import {
  isCustomTool,
  listMessagesTools,
  type MessagesBody,
  type MessagesTool,
  type MessagesVendorTool,
  toolKind,
} from '@tollgate/api/compatible';
import type { FunctionTool, ProviderTool } from '../../domain/model-request.js';
import { vendorOnly } from '../refused.js';

/** Returns the tools that another provider offers to the model: without those that messages have removed. */
export function offeredTools(body: MessagesBody): FunctionTool[] {
  const removed = findRemoved(body);
  const tools = listMessagesTools(body).filter(({ name }) => name === undefined || !removed.has(name));
  const byName = new Map(tools.flatMap((tool) => toFunctions(tool)).map((tool) => [tool.name, tool]));
  return [...byName.values()];
}

/** Tools that run at the provider. */
export function providerTools(body: MessagesBody): ProviderTool[] {
  const search = listMessagesTools(body).find((tool) => !isCustomTool(tool) && toolKind(tool.type) === 'search');
  if (!search || isCustomTool(search)) return [];
  const { allowed_domains: allowed, blocked_domains: blocked, user_location: location } = search;
  const options = {
    ...(allowed ? { allowed_domains: allowed } : {}),
    ...(blocked ? { blocked_domains: blocked } : {}),
    ...(location ? { user_location: location } : {}),
  };
  return [{ type: 'web', options }];
}

/** Names of tools whose last change was their removal. */
function findRemoved({ messages }: MessagesBody): Set<string> {
  const removed = new Set<string>();
  for (const { role, content } of messages) {
    if (role !== 'system' || typeof content === 'string') continue;
    for (const block of content) {
      if (block.type === 'text') continue;
      const name = block.tool.type === 'tool_reference' ? block.tool.name : block.tool.definition.name;
      if (name === undefined) continue;
      if (block.type === 'tool_removal') removed.add(name);
      else removed.delete(name);
    }
  }
  return removed;
}

/** @throws AppError for a tool of the vendor that others do not have */
function toFunctions(tool: MessagesTool): FunctionTool[] {
  if (isCustomTool(tool)) {
    const { name, description, input_schema: parameters } = tool;
    return [{ name, description: description ?? undefined, parameters }];
  }
  switch (toolKind(tool.type)) {
    // Other providers read the definitions of all tools at once.
    case 'tool_search':
    case 'search':
      return [];
    case 'client':
      return [clientTool(tool)];
    default:
      throw vendorOnly('tools', `this model does not support tools of type ${tool.type}`);
  }
}

/** Describes a tool that models of the vendor know without a definition. */
function clientTool({ type, name }: MessagesVendorTool): FunctionTool {
  const known = clientTools.find(([types]) => types.test(type))?.[1];
  if (!known || name === undefined) throw vendorOnly('tools', `this model does not support tools of type ${type}`);
  return { name, ...known };
}

const text = { type: 'string' };
const path = { type: 'string', description: 'Absolute path' };
const edits = {
  path,
  file_text: { ...text, description: 'Content of a file to create' },
  old_str: { ...text, description: 'Text to replace, which must occur once' },
  new_str: { ...text, description: 'Text that replaces old_str' },
  insert_line: { type: 'integer', description: 'Line after which to insert; 0 is the beginning' },
  insert_text: { ...text, description: 'Text to insert' },
  view_range: { type: 'array', items: { type: 'integer' }, description: 'First and last line to view' },
};

/** Source: platform.claude.com/docs/en/agents-and-tools/tool-use/{bash-tool,text-editor-tool,memory-tool}. */
const clientTools: readonly (readonly [types: RegExp, tool: Omit<FunctionTool, 'name'>])[] = [
  [
    /^bash_/,
    {
      description: 'Runs a command in a persistent bash session. With restart, starts a new session.',
      parameters: { type: 'object', properties: { command: text, restart: { type: 'boolean' } } },
    },
  ],
  [
    /^text_editor_/,
    {
      description: 'Views and edits text files.',
      parameters: {
        type: 'object',
        properties: { command: { type: 'string', enum: ['view', 'create', 'str_replace', 'insert'] }, ...edits },
        required: ['command', 'path'],
      },
    },
  ],
  [
    /^memory_/,
    {
      description: 'Reads and writes files below /memories, which are kept between conversations.',
      parameters: {
        type: 'object',
        properties: {
          command: { type: 'string', enum: ['view', 'create', 'str_replace', 'insert', 'delete', 'rename'] },
          ...edits,
          old_path: text,
          new_path: text,
        },
        required: ['command'],
      },
    },
  ],
];
