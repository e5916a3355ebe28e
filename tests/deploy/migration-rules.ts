// Rules for migrations that run while the previous version uses the database: they only expand and take no long lock.

/** Index builds that are always short or can be made in advance, and tables that may be dropped, with the reason. */
export const JUSTIFIED: Readonly<Record<string, string>> = {
  owner_databases: 'no statement of the previous version names it',
};

interface Rule {
  pattern: RegExp;
  message: string;
}

const CONTRACTIONS: readonly Rule[] = [
  {
    pattern: /^DROP INDEX (?!CONCURRENTLY)/i,
    message: 'drops an index under a lock; in a later release: DROP INDEX CONCURRENTLY',
  },
  {
    pattern: /^(DROP (?!INDEX\b)|TRUNCATE)|^ALTER TABLE .*\bDROP (?!NOT NULL\b)/i,
    message: 'drops what the previous version may use; drop it in the release after the next',
  },
  { pattern: /\bRENAME\b/i, message: 'renames what the previous version uses; add the new name and copy' },
  {
    pattern: /\bALTER (COLUMN )?\S+ (SET DATA )?TYPE\b/i,
    message: 'changes a type, which rewrites the table; add a column',
  },
  {
    pattern: /\bSET NOT NULL\b/i,
    message: 'rejects rows that the previous version writes; check it in the application',
  },
  {
    pattern: /\bADD (CONSTRAINT \S+ )?(PRIMARY KEY|UNIQUE|EXCLUDE)\b/i,
    message: 'builds an index under an exclusive lock; build a unique index concurrently',
  },
  {
    pattern: /\bADD (CONSTRAINT \S+ )?(CHECK|FOREIGN KEY)\b(?!.*\bNOT VALID\b)/i,
    message: 'checks all rows under a lock; add it NOT VALID, and validate it in a later migration',
  },
  {
    pattern:
      /\bADD (COLUMN )?(?!CONSTRAINT)\S+ .*\bDEFAULT\b.*\b(gen_random_uuid|random|clock_timestamp|nextval|uuidv7)\b/i,
    message: 'computes a default for each row, which rewrites the table',
  },
  {
    pattern: /^SET (LOCAL |SESSION )?lock_timeout\b/i,
    message: 'changes how long requests may wait behind the migration; the runner sets it and tries again',
  },
  { pattern: /^(VACUUM FULL|CLUSTER|REINDEX (?!.*CONCURRENTLY)|LOCK)\b/i, message: 'locks a whole table' },
];

/** Returns why statements of a migration cannot run while the previous version serves; empty when they can. */
export function judgeMigration(sql: string, existingTables: ReadonlySet<string>): string[] {
  const own = new Set<string>();
  return splitStatements(sql).flatMap((text) => {
    const created = /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?(\S+)/i.exec(text)?.[1];
    if (created) own.add(unquoted(created));
    const isExisting = (table: string): boolean => existingTables.has(unquoted(table)) && !own.has(unquoted(table));
    return judgeStatement(text, isExisting).map((message) => `${text.slice(0, 100)}: ${message}`);
  });
}

function judgeStatement(text: string, isExisting: (table: string) => boolean): string[] {
  const table = /^ALTER TABLE (?:IF EXISTS )?(?:ONLY )?(\S+)/i.exec(text)?.[1];
  if (table !== undefined && !isExisting(table)) return [];
  const dropped = /^DROP TABLE (\S+)$/i.exec(text)?.[1];
  if (dropped !== undefined && Object.hasOwn(JUSTIFIED, unquoted(dropped))) return [];
  const found = CONTRACTIONS.filter(({ pattern }) => pattern.test(text)).map(({ message }) => message);
  return [...found, ...judgeColumns(text), ...judgeIndex(text, isExisting), ...judgeRows(text, isExisting)];
}

function judgeColumns(text: string): string[] {
  if (!/^ALTER TABLE\b/i.test(text)) return [];
  const added = text.split(/,(?![^(]*\))/).filter((part) => /\bADD (COLUMN )?(?!CONSTRAINT|CHECK|FOREIGN)/i.test(part));
  const isRequired = added.some((part) => /\bNOT NULL\b/i.test(part) && !/\bDEFAULT\b/i.test(part));
  return isRequired ? ['adds a column that the previous version does not fill; allow null or give a default'] : [];
}

function judgeIndex(text: string, isExisting: (table: string) => boolean): string[] {
  const index = /^CREATE (?:UNIQUE )?INDEX (CONCURRENTLY )?(?:IF NOT EXISTS )?(\S+) ON (?:ONLY )?([^\s(]+)/i.exec(text);
  const [, concurrently, name = '', table = ''] = index ?? [];
  if (!index || concurrently || !isExisting(table) || Object.hasOwn(JUSTIFIED, unquoted(name))) return [];
  return [
    'blocks writes while it builds; use `-- no transaction` with CREATE INDEX CONCURRENTLY IF NOT EXISTS, or justify it',
  ];
}

function judgeRows(text: string, isExisting: (table: string) => boolean): string[] {
  const table = /^(?:UPDATE (?:ONLY )?|DELETE FROM (?:ONLY )?)(\S+)/i.exec(text)?.[1];
  if (table === undefined || !isExisting(table)) return [];
  return ['writes to rows that requests use; change them in bounded batches by a worker'];
}

/** The tables that migrations create. */
export function listTables(sql: string): string[] {
  return splitStatements(sql).flatMap((text) => {
    const name = /^CREATE (?:UNLOGGED )?TABLE (?:IF NOT EXISTS )?([^\s(]+)/i.exec(text)?.[1];
    return name === undefined ? [] : unquoted(name);
  });
}

function splitStatements(sql: string): string[] {
  const withoutBodies = sql.replaceAll(/(\$\w*\$)[\s\S]*?\1/g, '$$');
  const bare = withoutBodies.replaceAll(/--[^\n]*/g, '').replaceAll(/\/\*[\s\S]*?\*\//g, '');
  return bare
    .split(';')
    .map((text) => text.replaceAll(/\s+/g, ' ').trim())
    .filter((text) => text !== '');
}

function unquoted(name: string): string {
  return name.replaceAll('"', '').replace(/\($/, '');
}
