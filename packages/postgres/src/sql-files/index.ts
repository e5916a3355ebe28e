export { GENERATED_FOLDER, generateSqlModules } from './generate.js';
export { readSqlFile, type SqlStatement } from './read-sql-file.js';
