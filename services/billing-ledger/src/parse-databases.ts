import { ConfigError, fields } from '@tollgate/runtime';
import { type LedgerDatabase, MAIN_DATABASE } from './domain/databases/ledger-databases.js';

const NAME = /^[a-z][a-z0-9-]{0,30}$/;

/** Parses `LEDGER_DATABASES`: `name=url`, separated by blanks. @throws ConfigError that never shows a URL */
export function parseDatabases(text: string, mainUrl: string): LedgerDatabase[] {
  const names = new Set([MAIN_DATABASE]);
  const urls = new Set([mainUrl]);
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word, index) => {
      const at = word.indexOf('=');
      const name = word.slice(0, at);
      const url = fields.databaseUrl().safeParse(word.slice(at + 1));
      if (at < 0 || !NAME.test(name) || !url.success)
        throw new ConfigError(
          `LEDGER_DATABASES: expected name=postgresql://…, separated by blanks; see entry ${index + 1}`,
        );
      if (names.has(name)) throw new ConfigError(`LEDGER_DATABASES: entry ${index + 1} repeats the name ${name}`);
      if (urls.has(url.data)) throw new ConfigError(`LEDGER_DATABASES: ${name} has the URL of another database`);
      names.add(name);
      urls.add(url.data);
      return { name, url: url.data };
    });
}

/** Checks `LEDGER_NEW_OWNERS`. @throws ConfigError for a name that `LEDGER_DATABASES` lacks */
export function checkNewOwners(names: readonly string[], databases: readonly LedgerDatabase[]): readonly string[] {
  const known = [MAIN_DATABASE, ...databases.map(({ name }) => name)];
  if (names.length === 0 || !names.every((name) => known.includes(name)))
    throw new ConfigError(`LEDGER_NEW_OWNERS: expected names of databases, separated by commas: ${known.join(', ')}`);
  return names;
}
