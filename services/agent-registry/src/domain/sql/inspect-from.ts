import { type Ident, isEmpty, isNode, type Node, nameParts, readVariant, toList } from './ast.js';
import type { Findings } from './findings.js';
import { Scope, type Source } from './scope.js';
import type { Walker } from './walker.js';

/** SQL Server hints that only choose how rows are read; the others take locks or change the result. */
const READING_HINTS = new Set(['NOLOCK', 'READUNCOMMITTED', 'READCOMMITTED', 'READPAST', 'SNAPSHOT']);

const TABLE_KEYS = new Set('name alias args with_hints with_ordinality partitions sample index_hints'.split(' '));

/** Adds the tables and joins of a FROM clause to the scope, then checks the conditions, which see all of them. */
export function inspectFrom(from: unknown, walker: Walker, scope: Scope): void {
  const conditions: unknown[] = [];
  const items = toList(from);
  walker.findings.joins += Math.max(0, items.length - 1);
  for (const item of items) addJoined(item, walker, scope, conditions);
  for (const condition of conditions) inspectConstraint(condition, walker, scope);
}

function addJoined(item: unknown, walker: Walker, scope: Scope, conditions: unknown[]): void {
  if (!isNode(item)) return;
  addFactor(item.relation, walker, scope, conditions, false);
  for (const join of toList(item.joins).filter(isNode)) {
    walker.findings.joins += 1;
    const { name, contents } = readVariant(join.join_operator);
    addFactor(join.relation, walker, scope, conditions, name.endsWith('Apply'));
    if (contents !== undefined) conditions.push(contents);
    if (name === 'AsOf') walker.findings.refuse('ASOF JOIN is not supported');
  }
}

function addFactor(
  relation: unknown,
  walker: Walker,
  scope: Scope,
  conditions: unknown[],
  seesSiblings: boolean,
): void {
  const { name, contents } = readVariant(relation);
  const factor = isNode(contents) ? contents : {};
  const alias = readAlias(factor.alias, walker.findings);
  const computed: Source = { name: alias?.value ?? '' };
  switch (name) {
    case 'Table':
      addTable(factor, alias, walker, scope);
      break;
    case 'Derived':
      walker.subquery(factor.subquery, seesSiblings || factor.lateral === true ? scope : outside(scope));
      walker.expressions(factor.sample, scope);
      scope.addSource(computed);
      break;
    case 'NestedJoin':
      if (alias) walker.findings.refuse('a name for joined tables is not supported');
      addJoined(factor.table_with_joins, walker, scope, conditions);
      break;
    case 'UNNEST':
      walker.expressions(factor.array_exprs, scope);
      scope.addSource(computed);
      break;
    case 'Function':
      addCall(factor, walker, scope);
      scope.addSource(computed);
      break;
    default:
      walker.findings.refuse(`${name} in FROM is not supported`);
  }
}

function addTable(table: Node, alias: Ident | undefined, walker: Walker, scope: Scope): void {
  const { findings } = walker;
  const parts = nameParts(table.name);
  if (!parts) {
    findings.refuse('a table of this form is not supported');
    return;
  }
  for (const [key, value] of Object.entries(table)) {
    if (!TABLE_KEYS.has(key) && !isEmpty(value)) findings.refuse(`${key.replaceAll('_', ' ')} is not supported`);
  }
  if (isNode(table.args)) {
    addCall({ name: table.name, args: table.args.args }, walker, scope);
    scope.addSource({ name: (alias ?? parts.at(-1)!).value });
    return;
  }
  for (const hint of toList(table.with_hints)) inspectHint(hint, findings);
  const source = findings.source(parts, alias, scope);
  if (isNode(table.alias) && !isEmpty(table.alias.columns)) findings.renamedColumns(source);
  scope.addSource(source);
}

function addCall({ name, args }: Node, walker: Walker, scope: Scope): void {
  walker.expressions({ Function: { name, args } }, scope);
}

function inspectHint(hint: unknown, findings: Findings): void {
  const { name, contents } = readVariant(hint);
  const word = name === 'Identifier' && isNode(contents) ? String(contents.value).toUpperCase() : 'of this form';
  if (!READING_HINTS.has(word)) findings.refuse(`table hint ${word} is not allowed`);
}

function readAlias(alias: unknown, findings: Findings): Ident | undefined {
  if (!isNode(alias)) return undefined;
  const name = nameParts([alias.name])?.[0];
  if (!name || !isEmpty(alias.at)) findings.refuse('an alias of this form is not supported');
  if (name) findings.alias(name);
  for (const column of toList(alias.columns)) {
    const columnName = isNode(column) ? nameParts([column.name]) : undefined;
    if (columnName) findings.names(columnName);
  }
  return name;
}

function inspectConstraint(constraint: unknown, walker: Walker, scope: Scope): void {
  const { findings } = walker;
  const { name, contents } = readVariant(constraint);
  if (name === 'On') walker.expressions(contents, scope);
  else if (name === 'Using') for (const column of toList(contents)) inspectUsing(column, findings, scope);
  else if (name === 'Natural') findings.naturalJoin(scope);
  else if (name !== 'None') findings.refuse(`a join with ${name} is not supported`);
}

function inspectUsing(column: unknown, findings: Findings, scope: Scope): void {
  const parts = nameParts(column);
  if (parts) findings.column(parts, scope);
  else findings.refuse('a join of this form is not supported');
}

/** Returns the scope of a subquery in FROM: the enclosing query's outer scope, without sibling sources. */
function outside(scope: Scope): Scope {
  return scope.parent ?? new Scope();
}
