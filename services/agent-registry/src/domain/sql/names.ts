import type { SqlDialect } from '@tollgate/api/state';
import type { Ident } from './ast.js';

/** Words that the parser may read as a table or an alias but the database reads as syntax. */
const SYNTAX_WORDS = new Set(
  `dumpfile except final for force from ignore indexed intersect into join lateral lock natural on only option outfile
   partition pivot procedure rows select set system_time table tablesample union unpivot use using values where with`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/**
 * Reserved words of SQL Server that start a statement. Statements need no semicolon between them there, so SQL Server
 * reads `FROM t SHUTDOWN` as two statements, where the parser reads an alias.
 */
const STATEMENT_WORDS = new Set(
  `alter backup begin break bulk checkpoint close commit continue create dbcc deallocate declare delete deny drop dump end
   exec execute fetch goto grant if insert kill lineno load merge open print raiserror readtext reconfigure restore return
   revert revoke rollback save select set setuser shutdown throw truncate update updatetext use waitfor while with
   writetext`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/**
 * Maps all spellings that some database may treat as the same name to one: ignores case, width, accents and invisible
 * characters. For comparing with forbidden names.
 */
export function fold(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}]/gu, '')
    .toUpperCase()
    .toLowerCase();
}

/** Maps spellings that certainly are the same name in the dialect to one. For comparing with allowed names. */
export function exactName({ value, quote_style }: Ident, dialect: SqlDialect): string {
  switch (dialect) {
    case 'postgres':
      return quote_style ? value : value.toLowerCase();
    case 'mysql': // table names are case-sensitive on case-sensitive file systems
      return value;
    default:
      return value.toLowerCase();
  }
}

/** Maps spellings of the same function to one: ignores case except for quoted names in PostgreSQL. */
export function exactFunctionName(name: Ident, dialect: SqlDialect): string {
  return dialect === 'mysql' ? name.value.toLowerCase() : exactName(name, dialect);
}

/** Returns why an identifier is ambiguous; undefined when it is plain. */
export function identifierFault({ value, quote_style }: Ident): string | undefined {
  if (quote_style === "'") return `${JSON.stringify(value)} is a name quoted like a string`;
  if (quote_style)
    return /[\p{C}"`'[\]\\]/u.test(value) ? 'a name holds quotes, backslashes or control characters' : undefined;
  // Some databases treat other blanks and invisible characters as white space, which changes the statement.
  if (/^[\p{L}_@#$][\p{L}\p{M}\p{N}_@#$]*$/u.test(value)) return undefined;
  return value === '' ? undefined : `${JSON.stringify(value)} is not a plain name`;
}

/** Returns why a name must be quoted as a table or an alias. */
export function syntaxWordFault({ value, quote_style }: Ident, dialect: SqlDialect): string | undefined {
  const word = value.toLowerCase();
  const isSyntax = SYNTAX_WORDS.has(word) || (dialect === 'sqlserver' && STATEMENT_WORDS.has(word));
  return isSyntax && !quote_style ? `${value} must be quoted to be a name` : undefined;
}

/** Splits a name that a policy's author wrote, such as `schema."table"`. Accepts the quotes of every dialect. */
export function splitPolicyName(text: string): Ident[] {
  const parts = text.match(/"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[^."`[\]]+/g) ?? [];
  return parts.map((part) => {
    const quote = /^["`[]/.test(part) ? part.charAt(0) : null;
    return { value: quote ? part.slice(1, -1).replaceAll('""', '"') : part.trim(), quote_style: quote };
  });
}
