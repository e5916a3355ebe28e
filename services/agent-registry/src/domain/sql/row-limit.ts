import type { SqlDialect, SqlPolicy } from '@tollgate/api/state';
import { isEmpty, isNode, isSpan, type Node, type Position, readVariant, type Span } from './ast.js';

/** The row limit in a query. */
type Present =
  | { kind: 'none' }
  /** `at` is the position of the number; absent when it is omitted and means 1, or follows `lead`. */
  | { kind: 'rows'; rows: number; at?: Span; lead?: { after: Position; text: string } }
  | { kind: 'unclear'; what: string };

export type RowLimit = { ok: true; text: string; limit: number | undefined } | { ok: false; reason: string };

/**
 * Adds a policy's row limit to a query's normalized text by the positions in its tree. The caller must parse the result
 * again and use only that.
 */
export function limitRows(query: Node, text: string, { dialect, limits }: SqlPolicy): RowLimit {
  const { default_limit: usual, max_limit: most } = limits ?? {};
  const present = presentLimit(query, dialect);
  if (present.kind === 'unclear') {
    if (most == null) return { ok: true, text, limit: undefined };
    return { ok: false, reason: `${present.what}: the limit must be a whole number` };
  }
  if (present.kind === 'rows') {
    if (most == null || present.rows <= most) return { ok: true, text, limit: present.rows };
    return { ok: true, text: replaceRows(text, present, most), limit: most };
  }
  const rows = usual ?? most;
  if (rows == null) return { ok: true, text, limit: undefined };
  return dialect === 'sqlserver' ? addTop(query, text, rows) : addLimit(query, text, rows, dialect);
}

/** Returns the row limit in a query; undefined when it has none or it is not a number. */
export function readRowLimit(query: Node, dialect: SqlDialect): number | undefined {
  const present = presentLimit(query, dialect);
  return present.kind === 'rows' ? present.rows : undefined;
}

function presentLimit(query: Node, dialect: SqlDialect): Present {
  const { name, contents } = readVariant(query.limit_clause);
  const clause = isNode(contents) ? contents : {};
  const limit = name === 'OffsetCommaLimit' || !isEmpty(clause.limit) ? clause.limit : undefined;
  const top = dialect === 'sqlserver' ? readTop(query) : undefined;
  const found = [limit, query.fetch, top].filter((part) => !isEmpty(part));
  if (found.length > 1) return { kind: 'unclear', what: 'two limits' };
  if (isNode(top)) return topRows(top, query);
  if (isNode(query.fetch)) return fetchRows(query.fetch);
  return limit === undefined ? { kind: 'none' } : literalRows(limit, 'LIMIT');
}

function readTop(query: Node): unknown {
  const select = readSelect(query);
  return select?.top;
}

/** Returns the SELECT of a plain query; undefined for set operations and queries in parentheses. */
function readSelect(query: Node): Node | undefined {
  const { name, contents } = readVariant(query.body);
  return name === 'Select' && isNode(contents) ? contents : undefined;
}

function topRows(top: Node, query: Node): Present {
  if (top.percent === true || top.with_ties === true) return { kind: 'unclear', what: 'TOP PERCENT or WITH TIES' };
  const { name, contents } = readVariant(top.quantity);
  if (name === 'Expr') return literalRows(contents, 'TOP');
  const select = readSelect(query)!;
  const after = tokenEnd(select.select_token);
  if (name !== 'Constant' || typeof contents !== 'number' || !after) return { kind: 'unclear', what: 'TOP' };
  const isDistinctFirst = select.distinct && select.top_before_distinct !== true;
  return { kind: 'rows', rows: contents, lead: { after, text: isDistinctFirst ? ' DISTINCT TOP ' : ' TOP ' } };
}

function fetchRows(fetch: Node): Present {
  if (fetch.percent === true || fetch.with_ties === true)
    return { kind: 'unclear', what: 'FETCH PERCENT or WITH TIES' };
  return isEmpty(fetch.quantity) ? { kind: 'rows', rows: 1 } : literalRows(fetch.quantity, 'FETCH');
}

function literalRows(expression: unknown, what: string): Present {
  const { name, contents } = readVariant(expression);
  if (name === 'Nested') return literalRows(contents, what);
  const value = name === 'Value' && isNode(contents) ? contents : {};
  const { name: type, contents: number } = readVariant(value.value);
  const digits = type === 'Number' && Array.isArray(number) ? String(number[0]) : '';
  const rows = Number(digits);
  if (!/^\d+$/.test(digits) || !Number.isSafeInteger(rows)) return { kind: 'unclear', what };
  return { kind: 'rows', rows, at: value.span as Span };
}

function replaceRows(text: string, present: Present & { kind: 'rows' }, rows: number): string {
  if (present.at) return splice(text, indexAt(text, present.at.start), indexAt(text, present.at.end), String(rows));
  if (!present.lead) return text;
  const start = indexAt(text, present.lead.after) + present.lead.text.length;
  return splice(text, start, start + String(present.rows).length, String(rows));
}

function addLimit(query: Node, text: string, rows: number, dialect: SqlDialect): RowLimit {
  const { contents } = readVariant(query.limit_clause);
  const hasOffset = isNode(contents) && !isEmpty(contents.offset);
  if (hasOffset && dialect !== 'postgres') return { ok: false, reason: 'OFFSET requires a LIMIT' };
  if (!isEmpty(query.locks) && dialect !== 'postgres') return { ok: false, reason: 'locking rows requires a LIMIT' };
  return { ok: true, text: `${text} LIMIT ${rows}`, limit: rows };
}

function addTop(query: Node, text: string, rows: number): RowLimit {
  const { contents } = readVariant(query.limit_clause);
  const hasOffset = isNode(contents) && !isEmpty(contents.offset);
  if (hasOffset) return { ok: true, text: `${text} FETCH NEXT ${rows} ROWS ONLY`, limit: rows };
  const select = readSelect(query);
  if (!select) {
    // TOP would limit only one of the branches.
    const order = isEmpty(query.order_by) ? ' ORDER BY 1' : '';
    return { ok: true, text: `${text}${order} OFFSET 0 ROWS FETCH NEXT ${rows} ROWS ONLY`, limit: rows };
  }
  const after = tokenEnd(select.select_token);
  if (!after) return { ok: false, reason: 'TOP cannot be added to this query' };
  const start = indexAt(text, after);
  const quantifier = /^ (?:DISTINCT|ALL)(?= )/.exec(text.slice(start))?.[0] ?? '';
  const at = start + quantifier.length;
  return { ok: true, text: splice(text, at, at, ` TOP (${rows})`), limit: rows };
}

function tokenEnd(token: unknown): Position | undefined {
  return isNode(token) && isSpan(token.span) ? token.span.end : undefined;
}

function splice(text: string, start: number, end: number, put: string): string {
  return text.slice(0, start) + put + text.slice(end);
}

/** Offset of a position: lines end in \n, columns are code points. */
function indexAt(text: string, { line, column }: Position): number {
  let index = 0;
  for (let i = 1; i < line; i++) index = text.indexOf('\n', index) + 1;
  for (let i = 1; i < column; i++) index += (text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1;
  return index;
}
