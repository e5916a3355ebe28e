import { z } from 'zod';
import { toolArguments } from './tool-arguments.js';
import { canonicalToolName, type ServerToolName } from './tool-names.js';

/** A server-side tool as it is offered to a model. */
export interface ToolDefinition {
  name: ServerToolName;
  description: string;
  /** JSON Schema of the arguments. */
  parameters: Readonly<Record<string, unknown>>;
}

/** A function tool as a client declares it. */
export interface DeclaredFunction {
  name: string;
  description?: string | undefined;
  parameters?: Readonly<Record<string, unknown>> | undefined;
}

const descriptions: Record<ServerToolName, string> = {
  kv_write: 'Stores a value under a key, replacing any existing value.',
  kv_read: 'Returns the value stored under a key.',
  kv_list: 'Lists all stored keys in alphabetical order.',
  kv_delete: 'Deletes a key and its value.',
  tasks_write: 'Replaces the whole task list.',
  memory_write:
    "Replaces the agent's whole persistent memory, which is part of the system prompt of its later runs. In a run for a " +
    'customer, replaces only the memory for that customer.',
  message_send: 'Sends a message to the mailbox of an agent or a run.',
  message_inbox: 'Returns the oldest unread messages in your mailbox and marks them as read.',
  message_reply: 'Replies to a message in its thread.',
  image_generation: 'Generates an image from a prompt. Call it alone, not together with other tools.',
  web_search: 'Searches the web. Returns titles, URLs and snippets.',
  web_fetch: 'Returns the text of a public web page.',
};

const definitions = new Map<ServerToolName, ToolDefinition>();

/** Returns a server-side tool by its canonical name. Its schema is derived at the first call, not at every start. */
export function toolDefinition(name: ServerToolName): ToolDefinition {
  let definition = definitions.get(name);
  if (!definition) {
    definition = define(name);
    definitions.set(name, definition);
  }
  return definition;
}

/**
 * The function tool as a model sees it: a server-side tool gets what its client left out. The name stays in the spelling
 * in which it was declared.
 */
export function offeredFunction<Declared extends DeclaredFunction>(declared: Declared): Declared {
  const canonical = canonicalToolName(declared.name);
  if (!canonical) return declared;
  const { description, parameters } = toolDefinition(canonical);
  return {
    ...declared,
    description: declared.description ?? description,
    parameters: declared.parameters ?? parameters,
  };
}

function define(name: ServerToolName): ToolDefinition {
  const { $schema: _dialect, ...parameters } = z.toJSONSchema(toolArguments[name], { io: 'input' });
  return { name, description: descriptions[name], parameters };
}
