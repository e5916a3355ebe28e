import type { SqlPolicy } from '@tollgate/api/state';
import { isEmpty, isNode, isPosition, type Node, nameParts, readVariant, toList } from './ast.js';
import { foreignSyntax } from './dialect-syntax.js';
import { Findings } from './findings.js';
import { inspectFrom } from './inspect-from.js';
import { inspectWrite, isWrite } from './inspect-writes.js';
import { EXPRESSION_KEYS, QUERY_KEYS, SELECT_KEYS, SILENT_KEYS } from './known-syntax.js';
import { exactName } from './names.js';
import { Scope } from './scope.js';
import type { Walker } from './walker.js';

export interface Inspection {
  /** Reasons for refusal, in the order in which they were found; empty = the statement may run. */
  refusals: string[];
  /** Sorted. */
  tables: string[];
  isReadOnly: boolean;
}

/** Checks one parsed statement. Refuses all syntax that is not known to be harmless. */
export function inspectStatement(statement: unknown, policy: SqlPolicy): Inspection {
  const findings = new Findings(policy);
  const walker: Walker = {
    findings,
    expressions: (value, scope) => inspectExpressions(value, walker, scope),
    subquery: (query, scope) => inspectSubquery(query, walker, scope),
  };
  const { name, contents } = readVariant(statement);
  if (name === 'Query' && isNode(contents)) inspectQuery(contents, walker, undefined);
  else if (isWrite(name)) inspectWrite(name, contents, walker, new Scope());
  else findings.refuse(`${statementText(name)} is not allowed`);
  if (namesObjectType(statement))
    findings.refuse('a type that names objects of the database, such as regclass, is not allowed');
  for (const syntax of foreignSyntax(statement, policy.dialect)) findings.refuse(`${policy.dialect} has no ${syntax}`);
  findings.finish();
  const tables = [...findings.tables].sort();
  return { refusals: [...findings.refusals], tables, isReadOnly: !findings.hasWrites };
}

/** Checks a query inside another one. */
function inspectSubquery(query: unknown, walker: Walker, scope: Scope): void {
  walker.findings.subquery();
  if (isNode(query)) inspectQuery(query, walker, scope);
  else walker.findings.refuse('a subquery of this form is not supported');
}

function inspectQuery(query: Node, walker: Walker, outer: Scope | undefined): void {
  const scope = new Scope(outer);
  if (isNode(query.with)) inspectCommonTables(query.with, walker, scope);
  if (!isEmpty(query.locks)) {
    walker.findings.hasWrites = true;
    if (walker.findings.policy.read_only) walker.findings.refuse('locking rows is not allowed');
  }
  const inner = inspectSetExpression(query.body, walker, scope) ?? scope;
  for (const key of Object.keys(query)) {
    if (!QUERY_KEYS.has(key) && !isEmpty(query[key])) walker.findings.refuse(`${syntaxText(key)} is not supported`);
  }
  for (const clause of [query.order_by, query.limit_clause, query.fetch]) inspectExpressions(clause, walker, inner);
}

function inspectCommonTables(clause: Node, walker: Walker, scope: Scope): void {
  const { dialect } = walker.findings.policy;
  // Without RECURSIVE, some databases still let an expression refer to itself; in others the name means a table.
  const seesItself = clause.recursive === true || dialect === 'sqlserver' || dialect === 'sqlite';
  const tables = toList(clause.cte_tables).filter(isNode);
  const readName = (table: Node) => nameParts([isNode(table.alias) ? table.alias.name : undefined])?.[0];
  if (clause.recursive === true) {
    for (const table of tables) addCommonTable(table);
  }
  for (const table of tables) {
    const own = new Scope(scope);
    const name = readName(table);
    if (!name) walker.findings.refuse('a common table expression without a name is not supported');
    else {
      walker.findings.names([name]);
      if (seesItself) own.addCommonTable(exactName(name, dialect));
    }
    if (!isEmpty(table.from)) walker.findings.refuse('FROM of a common table expression is not supported');
    inspectSubquery(table.query, walker, own);
    addCommonTable(table);
  }

  function addCommonTable(table: Node): void {
    const name = readName(table);
    if (name) scope.addCommonTable(exactName(name, dialect));
  }
}

/** Returns the scope that a following ORDER BY sees. */
function inspectSetExpression(body: unknown, walker: Walker, scope: Scope): Scope | undefined {
  const { name, contents } = readVariant(body);
  if (name === 'Select' && isNode(contents)) return inspectSelect(contents, walker, scope);
  if (name === 'Query' && isNode(contents)) inspectQuery(contents, walker, scope);
  else if (name === 'SetOperation' && isNode(contents)) {
    inspectSetExpression(contents.left, walker, scope);
    inspectSetExpression(contents.right, walker, scope);
  } else if (name === 'Values' && isNode(contents)) inspectExpressions(contents.rows, walker, scope);
  else if (isWrite(name)) {
    // The body of a query holds the statement once more: {Insert: {Insert: …}}.
    inspectWrite(name, readVariant(contents).contents, walker, scope);
  } else walker.findings.refuse(`${statementText(name)} is not supported`);
  return undefined;
}

function inspectSelect(select: Node, walker: Walker, outer: Scope): Scope {
  const scope = new Scope(outer);
  if (!isEmpty(select.into)) walker.findings.refuse('SELECT INTO is not allowed');
  inspectFrom(select.from, walker, scope);
  for (const [key, value] of Object.entries(select)) {
    if (key === 'from' || key === 'into' || isEmpty(value)) continue;
    if (SELECT_KEYS.has(key)) inspectExpressions(value, walker, scope);
    else if (!SILENT_KEYS.has(key) && !isPosition(key)) walker.findings.refuse(`${syntaxText(key)} is not supported`);
  }
  return scope;
}

/** Walks expressions and their containers. Refuses unknown keys. */
function inspectExpressions(value: unknown, walker: Walker, scope: Scope): void {
  if (Array.isArray(value)) {
    for (const item of value) inspectExpressions(item, walker, scope);
    return;
  }
  if (!isNode(value)) return;
  for (const [key, contents] of Object.entries(value)) {
    if (isEmpty(contents) || SILENT_KEYS.has(key) || isPosition(key)) continue;
    const special = SPECIAL[key];
    if (special) special(contents, walker, scope);
    else if (EXPRESSION_KEYS.has(key)) inspectExpressions(contents, walker, scope);
    else walker.findings.refuse(`${syntaxText(key)} is not supported`);
  }
}

const SPECIAL: Record<string, (contents: unknown, walker: Walker, scope: Scope) => void> = {
  Identifier: inspectColumn,
  CompoundIdentifier: inspectColumn,
  Wildcard(contents, walker, scope) {
    walker.findings.wildcard(scope.ownSources);
    inspectExpressions(contents, walker, scope);
  },
  QualifiedWildcard: inspectQualifiedWildcard,
  Function: inspectCall,
  Subquery: inspectSubquery,
  subquery: inspectSubquery,
  op(contents, walker) {
    if (contents === 'Assignment') walker.findings.refuse('assigning variables is not allowed');
    else if (isNode(contents)) walker.findings.refuse('custom operators are not allowed');
  },
  ExprWithAlias(contents, walker, scope) {
    const { expr, alias } = contents as Node;
    const name = nameParts([alias])?.[0];
    if (name) walker.findings.names([name]);
    // `SELECT @x = 1` of SQL Server is read as an alias.
    if (name?.value.startsWith('@')) walker.findings.refuse('assigning variables is not allowed');
    inspectExpressions(expr, walker, scope);
  },
  DoubleQuotedString: (contents, walker, scope) => walker.findings.doubleQuoted(String(contents), scope),
};

function inspectColumn(contents: unknown, walker: Walker, scope: Scope): void {
  const parts = nameParts(Array.isArray(contents) ? contents : [contents]);
  if (parts) walker.findings.column(parts, scope);
  else walker.findings.refuse('a column of this form is not supported');
}

/** `a.*` is a name with options in a select list, and a plain name in arguments. */
function inspectQualifiedWildcard(contents: unknown, walker: Walker, scope: Scope): void {
  const [first, options] = toList(contents);
  const name = isNode(first) && 'ObjectName' in first ? first.ObjectName : contents;
  const parts = nameParts(name);
  if (parts) walker.findings.qualifiedWildcard(parts, scope);
  else walker.findings.refuse('.* of this form is not supported');
  if (name !== contents) inspectExpressions(options, walker, scope);
}

function inspectCall(contents: unknown, walker: Walker, scope: Scope): void {
  const { name, parameters, ...rest } = contents as Node;
  const parts = nameParts(name);
  if (parts) walker.findings.call(parts);
  else walker.findings.refuse('a function of this form is not supported');
  if (!isEmpty(parameters) && parameters !== 'None')
    walker.findings.refuse('parameters of functions are not supported');
  const isCount = parts?.at(-1)?.value.toLowerCase() === 'count';
  if (!isCount && hasBareWildcard(rest.args)) walker.findings.wildcard(scope.ownSources);
  inspectExpressions(rest, walker, scope);
}

function hasBareWildcard(args: unknown): boolean {
  const list = isNode(args) && isNode(args.List) ? toList(args.List.args) : [];
  return list.some((arg) => isNode(arg) && arg.Unnamed === 'Wildcard');
}

/** `StartTransaction` → START TRANSACTION */
function statementText(name: string): string {
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toUpperCase();
}

function syntaxText(key: string): string {
  return statementText(key).replaceAll('_', ' ');
}

/** PostgreSQL's types whose values are names of objects: a cast finds out whether a table or a role exists. */
const OBJECT_TYPE = /\breg(?:class|collation|config|dictionary|namespace|oper|operator|proc|procedure|role|type)\b/i;

/** Whether a statement converts to a type that names objects of the database, also in an array or with a schema. */
function namesObjectType(tree: unknown): boolean {
  if (Array.isArray(tree)) return tree.some(namesObjectType);
  if (!isNode(tree)) return false;
  return Object.entries(tree).some(([key, contents]) =>
    key === 'data_type' ? OBJECT_TYPE.test(JSON.stringify(contents)) : namesObjectType(contents),
  );
}
