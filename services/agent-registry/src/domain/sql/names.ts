import type { SqlDialect } from '@tollgate/api';
import type { Ident } from './ast.js';

/** Words that the parser can take for a table or an alias where the database reads syntax. */
const SYNTAX_WORDS = new Set(
  `dumpfile except final for force from ignore indexed intersect into join lateral lock natural on only option outfile
   partition pivot procedure rows select set system_time table tablesample union unpivot use using values where with`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/**
 * Reserved words of SQL Server that begin a statement. It needs no semicolon between two, so `FROM t SHUTDOWN` is one more
 * statement to it, where the parser reads an alias.
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
 * One spelling for all that some database may take for the same name: case, width, accents and invisible characters do
 * not count. For comparing with what is forbidden.
 */
export function fold(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/[\p{M}\p{C}]/gu, '')
    .toUpperCase()
    .toLowerCase();
}

/** One spelling for what surely is the same name in the dialect. For comparing with what is allowed. */
export function exactName({ value, quote_style }: Ident, dialect: SqlDialect): string {
  switch (dialect) {
    case 'postgres':
      return quote_style ? value : value.toLowerCase();
    case 'mysql': // as tables are on case-sensitive file systems
      return value;
    default:
      return value.toLowerCase();
  }
}

/** One spelling for what surely is the same function: apart from quoted ones of PostgreSQL, their case never counts. */
export function exactFunctionName(name: Ident, dialect: SqlDialect): string {
  return dialect === 'mysql' ? name.value.toLowerCase() : exactName(name, dialect);
}

/** Why an identifier is not to be trusted; undefined = it is plain. */
export function identifierFault({ value, quote_style }: Ident): string | undefined {
  if (quote_style === "'") return `${JSON.stringify(value)} is quoted like a string where a name stands`;
  if (quote_style)
    return /[\p{C}"`'[\]\\]/u.test(value) ? 'a name holds quotes, backslashes or control characters' : undefined;
  // Some databases take other blanks and invisible characters for white space: another statement to them.
  if (/^[\p{L}_@#$][\p{L}\p{M}\p{N}_@#$]*$/u.test(value)) return undefined;
  return value === '' ? undefined : `${JSON.stringify(value)} is no plain name`;
}

/** Why a name cannot stand for a table or an alias without quotes. */
export function syntaxWordFault({ value, quote_style }: Ident, dialect: SqlDialect): string | undefined {
  const word = value.toLowerCase();
  const isSyntax = SYNTAX_WORDS.has(word) || (dialect === 'sqlserver' && STATEMENT_WORDS.has(word));
  return isSyntax && !quote_style ? `${value} must be quoted to be a name` : undefined;
}

/** Splits a name that a policy's author wrote, such as `schema."table"`. Quotes of every dialect are understood. */
export function splitPolicyName(text: string): Ident[] {
  const parts = text.match(/"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[^."`[\]]+/g) ?? [];
  return parts.map((part) => {
    const quote = /^["`[]/.test(part) ? part.charAt(0) : null;
    return { value: quote ? part.slice(1, -1).replaceAll('""', '"') : part.trim(), quote_style: quote };
  });
}
