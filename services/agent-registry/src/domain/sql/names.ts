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
export function syntaxWordFault({ value, quote_style }: Ident): string | undefined {
  if (quote_style || !SYNTAX_WORDS.has(value.toLowerCase())) return undefined;
  return `${value} must be quoted to be a name`;
}

/** Splits a name that a policy's author wrote, such as `schema."table"`. Quotes of every dialect are understood. */
export function splitPolicyName(text: string): Ident[] {
  const parts = text.match(/"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[^."`[\]]+/g) ?? [];
  return parts.map((part) => {
    const quote = /^["`[]/.test(part) ? part.charAt(0) : null;
    return { value: quote ? part.slice(1, -1).replaceAll('""', '"') : part.trim(), quote_style: quote };
  });
}
