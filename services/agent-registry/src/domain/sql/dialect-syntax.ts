import type { SqlDialect } from '@tollgate/api/state';
import { isEmpty, isNode, type Node, readVariant } from './ast.js';

/** Syntax that the parser reads in every dialect, and the dialects whose databases run it. */
interface Construct {
  syntax: string;
  dialects: readonly SqlDialect[];
  /** Absent = always matches when the key exists. `parent` is the node that has the key. */
  applies?: (contents: unknown, parent: Node) => boolean;
}

const [LITE, PG, MY, MS] = ['sqlite', 'postgres', 'mysql', 'sqlserver'] as const;
const NONE: readonly SqlDialect[] = [];

/** Keyed by the tree key that holds the construct. */
const CONSTRUCTS: Readonly<Record<string, readonly Construct[]>> = {
  // Rows of a query. OFFSET and FETCH are one clause in SQL Server, which belongs to ORDER BY.
  limit_clause: [
    { syntax: 'LIMIT', dialects: [LITE, PG, MY], applies: (clause) => hasLimit(clause) },
    {
      syntax: 'OFFSET without LIMIT',
      dialects: [PG, MS],
      applies: (clause) => !hasLimit(clause) && hasOffset(clause),
    },
    { syntax: 'OFFSET … ROWS', dialects: [PG, MS], applies: (clause) => hasOffset(clause) && saysRows(clause) },
    {
      syntax: 'OFFSET without ROWS',
      dialects: [LITE, PG, MY],
      applies: (clause) => hasOffset(clause) && !saysRows(clause),
    },
    {
      syntax: 'OFFSET without ORDER BY',
      dialects: [LITE, PG, MY],
      applies: (clause, query) => hasOffset(clause) && isEmpty(query.order_by),
    },
    { syntax: 'OFFSET with TOP', dialects: NONE, applies: (clause, query) => hasOffset(clause) && hasTop(query) },
  ],
  fetch: [
    { syntax: 'FETCH', dialects: [PG, MS] },
    {
      syntax: 'FETCH without OFFSET',
      dialects: [PG],
      applies: (_fetch, query) => !hasOffset(query.limit_clause),
    },
    { syntax: 'FETCH … PERCENT', dialects: NONE, applies: (fetch) => isNode(fetch) && fetch.percent === true },
    { syntax: 'FETCH … WITH TIES', dialects: [PG], applies: (fetch) => isNode(fetch) && fetch.with_ties === true },
  ],
  top: [{ syntax: 'TOP', dialects: [MS] }],
  locks: [{ syntax: 'FOR UPDATE', dialects: [PG, MY] }],

  // Clauses of SELECT
  distinct: [{ syntax: 'DISTINCT ON', dialects: [PG], applies: isVariant('On') }],
  qualify: [{ syntax: 'QUALIFY', dialects: NONE }],
  group_by: [{ syntax: 'GROUP BY ALL', dialects: NONE, applies: isVariant('All') }],
  nulls_first: [{ syntax: 'NULLS FIRST', dialects: [LITE, PG], applies: (value) => typeof value === 'boolean' }],
  recursive: [{ syntax: 'WITH RECURSIVE', dialects: [LITE, PG, MY] }],
  Query: [
    { syntax: 'VALUES as a statement', dialects: [LITE, PG, MY], applies: (query) => bodyValues(query) !== undefined },
    {
      syntax: 'VALUES without ROW',
      dialects: [LITE, PG],
      applies: (query) => bodyValues(query)?.explicit_row === false,
    },
    { syntax: 'VALUES ROW', dialects: [MY], applies: (query) => bodyValues(query)?.explicit_row === true },
  ],
  SetOperation: [
    { syntax: 'MINUS', dialects: NONE, applies: (operation) => isNode(operation) && operation.op === 'Minus' },
    { syntax: 'EXCEPT ALL and INTERSECT ALL', dialects: [PG, MY], applies: isBagDifference },
  ],

  // FROM
  join_operator: [
    { syntax: 'FULL JOIN', dialects: [LITE, PG, MS], applies: isVariant('FullOuter') },
    { syntax: 'APPLY', dialects: [MS], applies: isVariant('CrossApply', 'OuterApply') },
    {
      syntax: 'SEMI JOIN and ANTI JOIN',
      dialects: NONE,
      applies: isVariant('Semi', 'LeftSemi', 'RightSemi', 'Anti', 'LeftAnti', 'RightAnti'),
    },
    {
      syntax: 'NATURAL JOIN',
      dialects: [LITE, PG, MY],
      applies: (operator) => readVariant(operator).contents === 'Natural',
    },
  ],
  global: [{ syntax: 'GLOBAL JOIN', dialects: NONE, applies: (value) => value === true }],
  Using: [{ syntax: 'USING', dialects: [LITE, PG, MY] }],
  lateral: [{ syntax: 'LATERAL', dialects: [PG, MY], applies: (value) => value === true }],
  with_hints: [{ syntax: 'WITH (hint)', dialects: [MS] }],
  with_ordinality: [{ syntax: 'WITH ORDINALITY', dialects: [PG] }],
  sample: [{ syntax: 'TABLESAMPLE', dialects: [PG, MS] }],

  // Expressions
  ILike: [{ syntax: 'ILIKE', dialects: [PG] }],
  SimilarTo: [{ syntax: 'SIMILAR TO', dialects: [PG] }],
  RLike: [{ syntax: 'RLIKE', dialects: [MY] }],
  MatchAgainst: [{ syntax: 'MATCH … AGAINST', dialects: [MY] }],
  MemberOf: [{ syntax: 'MEMBER OF', dialects: [MY] }],
  Overlay: [{ syntax: 'OVERLAY', dialects: [PG] }],
  Array: [{ syntax: 'ARRAY', dialects: [PG] }],
  Position: [{ syntax: 'POSITION', dialects: [PG, MY] }],
  Extract: [{ syntax: 'EXTRACT', dialects: [PG, MY] }],
  Interval: [{ syntax: 'INTERVAL', dialects: [PG, MY] }],
  TypedString: [{ syntax: 'a literal with its type', dialects: [PG, MY] }],
  AtTimeZone: [{ syntax: 'AT TIME ZONE', dialects: [PG, MS] }],
  Tuple: [{ syntax: 'a row of values', dialects: [LITE, PG, MY] }],
  IsTrue: [{ syntax: 'IS TRUE', dialects: [LITE, PG, MY] }],
  IsNotTrue: [{ syntax: 'IS NOT TRUE', dialects: [LITE, PG, MY] }],
  IsFalse: [{ syntax: 'IS FALSE', dialects: [LITE, PG, MY] }],
  IsNotFalse: [{ syntax: 'IS NOT FALSE', dialects: [LITE, PG, MY] }],
  IsUnknown: [{ syntax: 'IS UNKNOWN', dialects: [PG, MY] }],
  IsNotUnknown: [{ syntax: 'IS NOT UNKNOWN', dialects: [PG, MY] }],
  IsDistinctFrom: [{ syntax: 'IS DISTINCT FROM', dialects: [LITE, PG, MS] }],
  IsNotDistinctFrom: [{ syntax: 'IS NOT DISTINCT FROM', dialects: [LITE, PG, MS] }],
  within_group: [{ syntax: 'WITHIN GROUP', dialects: [PG, MS] }],
  Cast: [
    { syntax: '::', dialects: [PG], applies: (cast) => isNode(cast) && cast.kind === 'DoubleColon' },
    { syntax: 'TRY_CAST', dialects: [MS], applies: (cast) => isNode(cast) && cast.kind === 'TryCast' },
    { syntax: 'SAFE_CAST', dialects: NONE, applies: (cast) => isNode(cast) && cast.kind === 'SafeCast' },
  ],
  Substring: [
    { syntax: 'SUBSTRING … FROM', dialects: [PG, MY], applies: (call) => isNode(call) && call.special !== true },
  ],
  trim_where: [{ syntax: 'TRIM … FROM', dialects: [PG, MY, MS] }],
  BinaryOp: [
    ...operator('||', [LITE, PG, MY], 'StringConcat'),
    ...operator('REGEXP', [LITE, MY], 'Regexp'),
    ...operator('<=>', [MY], 'Spaceship'),
    ...operator('-> and ->>', [LITE, PG, MY], 'Arrow', 'LongArrow'),
    ...operator(
      'a JSON operator',
      [PG],
      'HashArrow',
      'HashLongArrow',
      'HashMinus',
      'AtArrow',
      'ArrowAt',
      'AtAt',
      'AtQuestion',
    ),
    { syntax: 'an operator of PostgreSQL', dialects: [PG], applies: (binary) => readOperator(binary).startsWith('PG') },
  ],

  // Writes
  returning: [{ syntax: 'RETURNING', dialects: [LITE, PG] }],
  output: [{ syntax: 'OUTPUT', dialects: [MS] }],
  OnConflict: [{ syntax: 'ON CONFLICT', dialects: [LITE, PG] }],
  DuplicateKeyUpdate: [{ syntax: 'ON DUPLICATE KEY', dialects: [MY] }],
  or: [{ syntax: 'OR …', dialects: [LITE] }],
  Update: [
    { syntax: 'LIMIT', dialects: [LITE, MY], applies: (update) => isNode(update) && !isEmpty(update.limit) },
    { syntax: 'UPDATE … FROM', dialects: [LITE, PG, MS], applies: (update) => isNode(update) && !isEmpty(update.from) },
  ],
  Delete: [
    {
      syntax: 'DELETE … ORDER BY or LIMIT',
      dialects: [LITE, MY],
      applies: (statement) => isNode(statement) && !(isEmpty(statement.order_by) && isEmpty(statement.limit)),
    },
    {
      syntax: 'DELETE … USING',
      dialects: [PG, MY],
      applies: (statement) => isNode(statement) && !isEmpty(statement.using),
    },
  ],
};

/** Returns the syntax of a statement that databases of the dialect do not run. */
export function foreignSyntax(tree: unknown, dialect: SqlDialect): string[] {
  const found = new Set<string>();
  collect(tree, dialect, found);
  return [...found];
}

function collect(value: unknown, dialect: SqlDialect, found: Set<string>): void {
  if (Array.isArray(value)) {
    for (const item of value) collect(item, dialect, found);
    return;
  }
  if (!isNode(value)) return;
  for (const [key, contents] of Object.entries(value)) {
    if (contents === null || contents === undefined) continue;
    for (const { syntax, dialects, applies } of Object.hasOwn(CONSTRUCTS, key) ? CONSTRUCTS[key]! : []) {
      if (!dialects.includes(dialect) && (applies ? applies(contents, value) : !isEmpty(contents))) found.add(syntax);
    }
    collect(contents, dialect, found);
  }
}

function isVariant(...names: string[]): (value: unknown) => boolean {
  return (value) => names.includes(readVariant(value).name);
}

function hasLimit(clause: unknown): boolean {
  const { name, contents } = readVariant(clause);
  return name === 'OffsetCommaLimit' || (isNode(contents) && !isEmpty(contents.limit));
}

function hasOffset(clause: unknown): boolean {
  return readOffset(clause) !== undefined;
}

function saysRows(clause: unknown): boolean {
  return readOffset(clause)?.rows !== 'None';
}

/** Reads the offset of `LIMIT … OFFSET`; that of `LIMIT a, b` has another form. */
function readOffset(clause: unknown): Node | undefined {
  const { name, contents } = readVariant(clause);
  return name === 'LimitOffset' && isNode(contents) && isNode(contents.offset) ? contents.offset : undefined;
}

function hasTop({ body }: Node): boolean {
  const { name, contents } = readVariant(body);
  return name === 'Select' && isNode(contents) && !isEmpty(contents.top);
}

function bodyValues(query: unknown): Node | undefined {
  const { name, contents } = readVariant(isNode(query) ? query.body : undefined);
  return name === 'Values' && isNode(contents) ? contents : undefined;
}

function isBagDifference(operation: unknown): boolean {
  return isNode(operation) && operation.op !== 'Union' && operation.set_quantifier === 'All';
}

function readOperator(binary: unknown): string {
  return readVariant(isNode(binary) ? binary.op : undefined).name;
}

function operator(syntax: string, dialects: readonly SqlDialect[], ...names: string[]): Construct[] {
  return [{ syntax, dialects, applies: (binary) => names.includes(readOperator(binary)) }];
}
