import { type SqlDialect, type SqlPolicy, sqlLimits } from '@tollgate/api/state';
import { AppError } from '@tollgate/errors';
import type { StatementParser } from '../../clients/sql-parser.js';
import { isNode, isSameTree, readVariant } from '../../domain/sql/ast.js';
import { CALLS_DEEP_MAX, isTooNested } from '../../domain/sql/call-depth.js';
import { type Inspection, inspectStatement } from '../../domain/sql/inspect.js';
import { limitRows, readRowLimit } from '../../domain/sql/row-limit.js';

export interface ValidSql {
  /** The text that was checked last: written by the parser, with the row limit. */
  normalizedSql: string;
  isReadOnly: boolean;
  tables: string[];
  limit: number | undefined;
  timeoutMs: number | undefined;
}

interface Parsed {
  statement: unknown;
  /** The statement as the parser writes it. */
  text: string;
}

const AMBIGUOUS = 'it cannot be written down unambiguously';

/**
 * Checks a statement as it was sent and again as it is returned: written by the parser, which must parse it to the same
 * tree. This eliminates text that databases read differently, such as executable comments and nested quotes.
 *
 * @throws AppError INVALID_INPUT with the reasons when the statement is refused
 */
export function validateSql(parser: StatementParser, sql: string, policy: SqlPolicy): ValidSql {
  if (sql.length > sqlLimits.sqlLength) throw refuseStatement([`it is longer than ${sqlLimits.sqlLength} characters`]);
  if (isTooNested(sql)) throw refuseStatement([`it nests more than ${CALLS_DEEP_MAX} calls`]);
  const { dialect } = policy;
  const sent = parseOne(parser, sql, dialect);
  judge(sent.statement, policy);
  const written = parseWritten(parser, sent, dialect);
  const bounded = boundRows(written, policy);
  const final = parseWritten(parser, parseOne(parser, bounded.text, dialect), dialect);
  const { tables, isReadOnly } = judge(final.statement, policy);
  const query = toQuery(final.statement);
  if (query && bounded.limit !== undefined && readRowLimit(query, dialect) !== bounded.limit)
    throw refuseStatement([AMBIGUOUS]);
  return {
    normalizedSql: final.text,
    isReadOnly,
    tables,
    limit: bounded.limit,
    timeoutMs: policy.limits?.timeout_ms ?? undefined,
  };
}

/** Parses the text that the parser wrote and checks that both trees are equal. */
function parseWritten(parser: StatementParser, source: Parsed, dialect: SqlDialect): Parsed {
  const written = parseOne(parser, source.text, dialect);
  if (!isSameTree(source.statement, written.statement)) throw refuseStatement([AMBIGUOUS]);
  return written;
}

function parseOne(parser: StatementParser, sql: string, dialect: SqlDialect): Parsed {
  const parsed = parser.parse(sql, dialect);
  if (!parsed.ok) throw refuseStatement([parsed.reason]);
  const { statements, text } = parsed;
  if (statements.length !== 1)
    throw refuseStatement([statements.length === 0 ? 'no statement' : 'more than one statement']);
  return { statement: statements[0], text };
}

function judge(statement: unknown, policy: SqlPolicy): Inspection {
  const inspection = inspectStatement(statement, policy);
  if (inspection.refusals.length > 0) throw refuseStatement(inspection.refusals);
  return inspection;
}

function boundRows({ statement, text }: Parsed, policy: SqlPolicy): { text: string; limit: number | undefined } {
  const query = toQuery(statement);
  if (!query) return { text, limit: undefined };
  const bounded = limitRows(query, text, policy);
  if (!bounded.ok) throw refuseStatement([bounded.reason]);
  return bounded;
}

function toQuery(statement: unknown) {
  const { name, contents } = readVariant(statement);
  return name === 'Query' && isNode(contents) ? contents : undefined;
}

/** Returns the error of a statement that is refused for these reasons. */
export function refuseStatement(reasons: readonly string[]): AppError {
  const fields = reasons.map((message) => ({ field: 'sql', message }));
  return new AppError('INVALID_INPUT', `the statement is refused: ${reasons.join('; ')}`, { fields });
}
