import type { Json } from '../values/json.js';

/**
 * Names under which a node reads what no node has said. They start with a character that no node id holds, so that
 * inputs and items travel like outputs of nodes.
 */
export const ITEM_REFERENCE = '$item';
const INPUT_PREFIX = '$input.';

export function inputReference(name: string): string {
  return `${INPUT_PREFIX}${name}`;
}

/** Whether the name is a node's, and its output has to be read. */
export function isNodeReference(reference: string): boolean {
  return !reference.startsWith('$');
}

/** The run's declared inputs under the names that sources have for them. */
export function inputsByReference(inputs: Readonly<Record<string, Json>>): [reference: string, value: Json][] {
  return Object.entries(inputs).map(([name, value]) => [inputReference(name), value]);
}
