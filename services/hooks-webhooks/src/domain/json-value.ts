/** The nesting limit that every service applies; deeper documents are refused. */
export const JSON_DEPTH_MAX = 200;

/** Returns the value; undefined for text that is not JSON or is nested too deeply to serialize safely. */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isWithinDepth(value) ? value : undefined;
}

/** Whether the value is nested at most as deeply as every service accepts. */
export function isWithinDepth(root: unknown): boolean {
  const waiting: { value: object; depth: number }[] = [];
  const push = (value: unknown, depth: number) => {
    if (typeof value === 'object' && value !== null) waiting.push({ value, depth });
  };
  push(root, 1);
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (next.depth > JSON_DEPTH_MAX) return false;
    for (const child of Object.values(next.value)) push(child, next.depth + 1);
  }
  return true;
}
