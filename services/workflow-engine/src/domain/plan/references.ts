import type { Json } from '../values/json.js';

/**
 * References to values that are not outputs of nodes. They start with a character that no node id contains, so that
 * inputs and items can be handled like outputs of nodes.
 */
export const ITEM_REFERENCE = '$item';
const INPUT_PREFIX = '$input.';

export function inputReference(name: string): string {
  return `${INPUT_PREFIX}${name}`;
}

/** Whether the reference is a node id, whose output must be read. */
export function isNodeReference(reference: string): boolean {
  return !reference.startsWith('$');
}

/** Returns the declared inputs by the references that sources use. */
export function inputsByReference(inputs: Readonly<Record<string, Json>>): [reference: string, value: Json][] {
  return Object.entries(inputs).map(([name, value]) => [inputReference(name), value]);
}
