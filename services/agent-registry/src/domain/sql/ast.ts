/**
 * The parser's syntax tree: structs are objects, enum variants are objects with one key or, without contents, strings.
 * The code that walks it accepts the keys it knows and refuses all others.
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

/** Returns the single key of an enum variant with its contents; a variant without contents is a string. */
export function readVariant(value: unknown): { name: string; contents: unknown } {
  if (typeof value === 'string') return { name: value, contents: undefined };
  const [entry] = isNode(value) ? Object.entries(value) : [];
  return entry ? { name: entry[0], contents: entry[1] } : { name: 'nothing', contents: undefined };
}

/** Returns whether a field has no effect: absent, off, or an empty list. */
export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === false || (Array.isArray(value) && value.length === 0);
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Returns the parts of a dotted name; undefined when a part is not a plain identifier. */
export function nameParts(name: unknown): Ident[] | undefined {
  const parts = toList(name).map((part) => (isNode(part) && isNode(part.Identifier) ? part.Identifier : part));
  return parts.length > 0 && parts.every(isIdent) ? parts : undefined;
}

function isIdent(value: unknown): value is Ident {
  return isNode(value) && typeof value.value === 'string';
}

export function isSpan(value: unknown): value is Span {
  return isNode(value) && isPlace(value.start) && isPlace(value.end);
}

function isPlace(value: unknown): value is Position {
  return isNode(value) && typeof value.line === 'number' && typeof value.column === 'number';
}

/** Returns whether two trees are equal except for positions in the text. */
export function isSameTree(a: unknown, b: unknown): boolean {
  return withoutPositions(a) === withoutPositions(b);
}

function withoutPositions(tree: unknown): string {
  return JSON.stringify(tree, (key, value) => (isPosition(key) ? undefined : value));
}

/** Keys that hold positions, or a keyword as it was written. */
export function isPosition(key: string): boolean {
  return key === 'span' || key.endsWith('_token');
}
