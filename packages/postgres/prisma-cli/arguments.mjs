const databaseCommands = ['can-connect-to-database', 'create-database', 'drop-database'];

/**
 * The part of the native engine's command line that the CLI uses.
 * @param {string[]} argv
 */
export function readArguments(argv) {
  const datasource = JSON.parse(listValues(argv, '--datasource')[0] ?? '{}');
  return {
    wantsVersion: argv[0] === '--version',
    databaseCommand: argv.includes('cli') ? argv.find((word) => databaseCommands.includes(word)) : undefined,
    datamodels: listValues(argv, '--datamodels'),
    /** @type {string | undefined} */
    url: datasource.url,
  };
}

/** @param {string[]} argv @param {string} name */
function listValues(argv, name) {
  return argv.flatMap((word, index) => (word === name && argv[index + 1] !== undefined ? [argv[index + 1]] : []));
}
