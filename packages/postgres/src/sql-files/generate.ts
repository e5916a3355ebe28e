import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { bindParameters } from './bind-parameters.js';
import { describeStatement, removeMarks } from './describe-statement.js';
import { readSqlFile } from './read-sql-file.js';
import { type DescribedStatement, renderModule } from './render-statement.js';

/** Where the modules of a service are, inside its folder with `.sql` files. */
export const GENERATED_FOLDER = 'gen';

/**
 * Returns the modules of all `.sql` files under a folder (`src/store` of a service), by path below `gen/`:
 * `holds/claim-expired-holds.sql` becomes `holds/claim-expired-holds.ts`.
 *
 * @param client A connection whose search path is the migrated schema of the service; statements are described, not run.
 * @throws Error that names the file, the statement and the problem
 */
export async function generateSqlModules(folder: string, client: pg.ClientBase): Promise<Map<string, string>> {
  const entries = await readdir(folder, { recursive: true });
  const modules = new Map<string, string>();
  const names = new Map<string, string>();
  for (const path of entries.filter((entry) => entry.endsWith('.sql')).sort()) {
    try {
      const described = await describeFile(await readFile(join(folder, path), 'utf8'), client);
      for (const { statement } of described) {
        const other = names.get(statement.name);
        if (other) throw new Error(`${statement.name} is also the name of a statement in ${other}`);
        names.set(statement.name, path);
      }
      modules.set(path.replace(/\.sql$/, '.ts'), renderModule(path, described));
    } catch (error) {
      throw new Error(`${path}: ${(error as Error).message}`, { cause: error });
    }
  }
  return modules;
}

async function describeFile(file: string, client: pg.ClientBase): Promise<DescribedStatement[]> {
  const described: DescribedStatement[] = [];
  for (const statement of readSqlFile(file)) {
    const { text, parameters } = bindParameters(statement);
    try {
      described.push({
        statement,
        text: removeMarks(text),
        parameters,
        description: await describeStatement(client, text),
      });
    } catch (error) {
      throw new Error(`${statement.name}: ${(error as Error).message}`, { cause: error });
    }
  }
  return described;
}
