/**
 * The parser's syntax tree as it comes: structs are objects by field, enum variants are objects with one key or, without
 * contents, strings. Whoever walks it names what it understands and refuses the rest.
 */
export type Node = Record<string, unknown>;

export interface Ident {
  value: string;
  /** Absent or null = unquoted. */
  quote_style?: string | null;
  span?: Span;
}

export interface Span {
  start: Position;
  end: Position;
}

/** Both count from 1, columns in code points. */
export interface Position {
  line: number;
  column: number;
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The one key of an enum variant, or the variant itself when it has no contents. */
export function variantOf(value: unknown): { name: string; contents: unknown } {
  if (typeof value === 'string') return { name: value, contents: undefined };
  const [entry] = isNode(value) ? Object.entries(value) : [];
  return entry ? { name: entry[0], contents: entry[1] } : { name: 'nothing', contents: undefined };
}

/** Whether a field says nothing: absent, off, or an empty list. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);
}

export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Parts of a dotted name; undefined when one of them is no plain identifier. */
export function nameParts(name: unknown): Ident[] | undefined {
  const parts = listOf(name).map((part) => (isNode(part) && isNode(part.Identifier) ? part.Identifier : part));
  const isPlain = parts.every((part) => isNode(part) && typeof part.value === 'string');
  return isPlain && parts.length > 0 ? (parts as unknown as Ident[]) : undefined;
}

/** Whether two trees say the same, wherever in their texts they say it. */
export function isSameTree(a: unknown, b: unknown): boolean {
  return withoutPositions(a) === withoutPositions(b);
}

function withoutPositions(tree: unknown): string {
  return JSON.stringify(tree, (key, value) => (isPosition(key) ? undefined : value));
}

/** Keys that hold where something stood, or the word itself in the case in which it was written. */
export function isPosition(key: string): boolean {
  return key === 'span' || key.endsWith('_token');
}
