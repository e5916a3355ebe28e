import { isJsonObject, type JsonObject } from '@tollgate/runtime/json-object';

/** Returns the member if it is an object, else an empty one. */
export function toChild(parent: JsonObject, name: string): JsonObject {
  const child = parent[name];
  return isJsonObject(child) ? child : {};
}

export function parseJson(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
