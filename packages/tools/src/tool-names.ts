/** Canonical names of the tools that run in the service, in the underscore spelling (some providers refuse dots). */
export const serverToolNames = [
  'kv_write',
  'kv_read',
  'kv_list',
  'kv_delete',
  'tasks_write',
  'memory_write',
  'message_send',
  'message_inbox',
  'message_reply',
  'image_generation',
  'web_search',
  'web_fetch',
] as const;

/** Canonical name of a server-side tool. */
export type ServerToolName = (typeof serverToolNames)[number];

/** Tools whose whole effect is on the key-value pairs and tasks of one scope; `applyToolOperation` runs them. */
export const stateToolNames = [
  'kv_write',
  'kv_read',
  'kv_list',
  'kv_delete',
  'tasks_write',
] as const satisfies readonly ServerToolName[];

/** Canonical name of a tool that keeps key-value pairs or tasks. */
export type StateToolName = (typeof stateToolNames)[number];

const serverTools: ReadonlySet<string> = new Set(serverToolNames);
const stateTools: ReadonlySet<string> = new Set(stateToolNames);

/** The underscore spelling of any tool name: the two spellings are aliases of one another. */
export function underscoredToolName(name: string): string {
  return name.replaceAll('.', '_');
}

/** The canonical name of a server-side tool in either spelling; undefined for every other name. */
export function canonicalToolName(name: string): ServerToolName | undefined {
  const underscored = underscoredToolName(name);
  return serverTools.has(underscored) ? (underscored as ServerToolName) : undefined;
}

/** Whether a server-side tool only reads and writes key-value pairs and tasks. */
export function isStateTool(name: string): name is StateToolName {
  return stateTools.has(name);
}
