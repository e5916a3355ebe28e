import { isEmpty, isNode, isPosition, type Node, nameParts, readVariant, toList } from './ast.js';
import { inspectFrom } from './inspect-from.js';
import { SILENT_KEYS, WRITE_KEYS } from './known-syntax.js';
import { exactName } from './names.js';
import type { Scope } from './scope.js';
import { tableText } from './table-rules.js';
import type { Walker } from './walker.js';

const WRITES = new Set(['Insert', 'Update', 'Delete']);

/** The statements that change rows; all other writing statements are refused. */
export function isWrite(name: string): boolean {
  return WRITES.has(name);
}

/** Checks an INSERT, UPDATE or DELETE, alone or in a common table expression. */
export function inspectWrite(name: string, statement: unknown, walker: Walker, scope: Scope): void {
  const { findings } = walker;
  findings.hasWrites = true;
  if (findings.policy.read_only) findings.refuse(`${name.toUpperCase()} is not allowed`);
  if (!isNode(statement)) {
    findings.refuse(`${name.toUpperCase()} of this form is not supported`);
    return;
  }
  refuseCommonTables(name === 'Delete' ? joined(statement.from) : [statement.table], walker, scope);
  if (name === 'Insert') inspectInsert(statement, walker, scope);
  else if (name === 'Update') inspectFrom([statement.table, ...joined(statement.from)], walker, scope);
  else inspectFrom([...joined(statement.from), ...toList(statement.using)], walker, scope);
  const { table: _table, from: _from, using: _using, columns: _columns, source: _source, ...rest } = statement;
  for (const [key, value] of Object.entries(rest)) {
    if (isEmpty(value) || SILENT_KEYS.has(key) || isPosition(key)) continue;
    if (key === 'optimizer_hints' || !WRITE_KEYS.has(key))
      findings.refuse(`${key.replaceAll('_', ' ')} is not supported`);
    else walker.expressions(value, scope);
  }
}

function inspectInsert(insert: Node, walker: Walker, scope: Scope): void {
  const { findings } = walker;
  const { name, contents } = readVariant(insert.table);
  const table = name === 'TableName' ? nameParts(contents) : undefined;
  if (!table) {
    findings.refuse('INSERT of this form is not supported');
    return;
  }
  scope.addSource(findings.source(table, undefined, scope));
  const columns = toList(insert.columns);
  if (columns.length === 0 && isEmpty(insert.assignments)) findings.unnamedColumns(table);
  for (const column of columns) {
    const parts = nameParts(column) ?? nameParts([column]);
    if (parts) findings.column(parts, scope);
  }
  if (!isEmpty(insert.source)) inspectSource(insert.source, walker, scope);
}

/** VALUES does not count as a subquery. */
function inspectSource(source: unknown, walker: Walker, scope: Scope): void {
  const body = isNode(source) ? readVariant(source.body) : undefined;
  if (body?.name === 'Values' && isNode(body.contents)) walker.expressions(body.contents.rows, scope);
  else walker.subquery(source, scope);
}

/** Databases differ on whether such a name means the expression or the table of the same name. */
function refuseCommonTables(targets: readonly unknown[], { findings }: Walker, scope: Scope): void {
  for (const target of targets) {
    const { contents } = readVariant(isNode(target) ? (target.relation ?? target) : target);
    const parts = nameParts(isNode(contents) ? contents.name : contents);
    if (parts?.length !== 1 || !scope.isCommonTable(exactName(parts[0]!, findings.policy.dialect))) continue;
    findings.refuse(`${tableText(parts)} cannot be written to: it is a common table expression`);
  }
}

/** Returns the tables of FROM, which dialects place differently. */
function joined(from: unknown): unknown[] {
  return Array.isArray(from) ? from : toList(readVariant(from).contents);
}
