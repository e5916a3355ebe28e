const TEXT_MAX = 200;
const CHANGES_MAX = 100;

/** A field before and after a change, as text; absent where it had no value. */
export interface FieldChange {
  field: string;
  before?: string;
  after?: string;
}

/** Returns the fields that differ, the first hundred of them, with long values cut. */
export function compareRecords(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): FieldChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((name) => toText(before[name]) !== toText(after[name]));
  return changed.slice(0, CHANGES_MAX).map((field) => {
    const [old, now] = [cut(toText(before[field])), cut(toText(after[field]))];
    return { field, ...(old !== undefined && { before: old }), ...(now !== undefined && { after: now }) };
  });
}

function toText(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function cut(text: string | undefined): string | undefined {
  return text !== undefined && text.length > TEXT_MAX ? `${text.slice(0, TEXT_MAX)}…` : text;
}
