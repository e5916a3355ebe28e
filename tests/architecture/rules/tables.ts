// A table of a service belongs to one client: its Prisma model, or SQL.
import ts from 'typescript-api';
import { isTest, parse, readLine, type SourceFile, type Violation, walk } from '../source-files.js';

const MODEL = /^model (\w+) \{[^}]*?@@map\("(\w+)"\)/gms;
const MODEL_CALL = /^(find|create|update|upsert|delete|count|aggregate|groupBy)/;
/** The export of a customer reads every table in one form, which is SQL; see CustomerTable in packages/service. */
const EXPORT = /\/store\/customer-export\.ts$/;
/** SQL whose table is a variable, such as a list of retention rules. */
const SQL_WITH_VARIABLE_TABLE = /\b(FROM|JOIN|UPDATE|INTO) \$\{/;

interface Use {
  table: string;
  path: string;
  line: number;
}

/** Tables that SQL in a service names although its code also uses their Prisma model. One violation per SQL use. */
export function findSharedTables(files: readonly SourceFile[]): Violation[] {
  return files
    .filter(({ path }) => path.endsWith('prisma/schema.prisma'))
    .flatMap((schema) => {
      const service = schema.path.replace(/prisma\/schema\.prisma$/, 'src/');
      const source = files.filter(({ path }) => path.startsWith(service) && /\.(ts|sql)$/.test(path) && !isTest(path));
      const tables = new Map(
        [...schema.text.matchAll(MODEL)].map(([, model, table]) => [table!, propertyName(model!)]),
      );
      const models = new Set(source.flatMap((file) => readModelCalls(file)));
      const shared = [...tables].filter(([, model]) => models.has(model)).map(([table]) => table);
      return source
        .filter(({ path }) => !EXPORT.test(path))
        .flatMap((file) => findSqlUses(file, shared))
        .map(({ table, path, line }) => ({ path, line, message: `SQL names ${table}, which is used through Prisma` }));
    });
}

/** The client's property for a model: `apiKey` for `ApiKey`. */
function propertyName(model: string): string {
  return `${model.charAt(0).toLowerCase()}${model.slice(1)}`;
}

/** Models that are called directly, as in `prisma.apiKey.findMany()`. */
function readModelCalls(file: SourceFile): string[] {
  const found: string[] = [];
  walk(parse(file), (node) => {
    if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return;
    const { expression: model, name: method } = node.expression;
    if (MODEL_CALL.test(method.text) && ts.isPropertyAccessExpression(model)) found.push(model.name.text);
  });
  return found;
}

function findSqlUses(file: SourceFile, tables: readonly string[]): Use[] {
  const tree = parse(file);
  const hasVariableTable = SQL_WITH_VARIABLE_TABLE.test(file.text);
  const found: Use[] = [];
  walk(tree, (node) => {
    if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return;
    const text = ts.isStringLiteralLike(node) ? node.text : node.getText(tree);
    for (const table of tables) {
      const isNamed = new RegExp(`\\b(FROM|JOIN|UPDATE|INTO|USING|TABLE)\\s+(ONLY\\s+)?"?${table}\\b`).test(text);
      if (isNamed || (hasVariableTable && text === table))
        found.push({ table, path: file.path, line: readLine(tree, node) });
    }
  });
  return found;
}
