import { createDatabase, dropDatabase, parseUrl, withClient } from './database.mjs';

/**
 * `schema-engine cli <command>`: the exit code is the answer, the reason goes to stderr as the CLI parses it.
 * @param {string} command
 * @param {string | undefined} url
 */
export async function runDatabaseCommand(command, url) {
  try {
    if (!url) throw new Error('No database URL is configured (datasource.url in prisma.config.ts)');
    if (command === 'create-database') await createDatabase(url);
    else if (command === 'drop-database') await dropDatabase(url);
    else await withClient(parseUrl(url).connectionString, (client) => client.query('SELECT 1'));
    return 0;
  } catch (error) {
    process.stderr.write(failureLines(error, url));
    return 1;
  }
}

/** The CLI skips the first line and parses each other one as JSON, so there must be no newline at the end. */
function failureLines(error, url) {
  const failure = {
    level: 'ERROR',
    fields: {
      message: error.message || String(error.code),
      is_panic: false,
      error_code: error.code === '3D000' ? 'P1003' : 'P1001',
      meta: { database_name: url && parseUrl(url).database },
    },
    target: 'schema_engine::logger',
  };
  return `{"level":"INFO","fields":{"message":"start"}}\n${JSON.stringify(failure)}`;
}
