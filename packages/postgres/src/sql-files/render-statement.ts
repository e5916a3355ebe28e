import type { Parameter } from './bind-parameters.js';
import type { Description } from './describe-statement.js';
import { type PackArray, toArrays } from './packs.js';
import type { PackColumn, SqlStatement } from './read-sql-file.js';
import { packColumnType } from './value-types.js';

/** A statement with everything that is known of it. */
export interface DescribedStatement {
  statement: SqlStatement;
  /** With `$1`, `$2`, …, as it is sent. */
  text: string;
  parameters: readonly Parameter[];
  description: Description;
}

const ENCODERS = ['arrayLiteral', 'bigintArray', 'binaryArray', 'byteaArray', 'textArray', 'uuidArray'];

/** Returns the module of a file with statements. `source` is the path of the file as the module names it. */
export function renderModule(source: string, statements: readonly DescribedStatement[]): string {
  const code = statements.map(renderStatement).join('\n');
  const encoders = ENCODERS.filter((name) => code.includes(`${name}(`));
  return [
    `// Generated from ${source} by \`npm run generate\`. Change that file, not this one.`,
    `import type { Queryable } from '@tollgate/postgres';`,
    ...(encoders.length > 0 ? [`import { ${encoders.join(', ')} } from '@tollgate/postgres/columns';`] : []),
    ...importTypes(source, statements),
    '',
    code,
  ].join('\n');
}

/** The module is in `src/store/gen`, in the folder that the file has in `src/store`. */
function importTypes(source: string, statements: readonly DescribedStatement[]): string[] {
  const toSrc = '../'.repeat(source.split('/').length + 1);
  const modules = new Map<string, Set<string>>();
  for (const { statement } of statements) {
    for (const { name, module } of statement.types.values())
      modules.set(module, (modules.get(module) ?? new Set<string>()).add(name));
  }
  return [...modules].map(
    ([module, names]) => `import type { ${[...names].sort().join(', ')} } from '${toSrc}${module}.js';`,
  );
}

function renderStatement(described: DescribedStatement): string {
  const { statement, text, parameters, description } = described;
  const name = toCamelCase(statement.name);
  const title = `${name[0]!.toUpperCase()}${name.slice(1)}`;
  const returnsRows = statement.result === 'many' || statement.result === 'one';
  if (returnsRows !== description.columns.length > 0)
    throw new Error(
      `${statement.name}: ${returnsRows ? 'returns no columns' : 'returns columns'}, but is :${statement.result}`,
    );
  const constant = statement.name.toUpperCase();
  return [
    ...packInterfaces(title, parameters),
    ...inputInterface(title, described),
    ...(returnsRows ? rowInterface(title, described) : []),
    `const ${constant} = \`\n${indent(escapeTemplate(text))}\`;`,
    '',
    ...documentation(statement.comment),
    ...runFunction(name, title, constant, described),
    '',
  ].join('\n');
}

function packInterfaces(title: string, parameters: readonly Parameter[]): string[] {
  return parameters.flatMap((parameter) => {
    if (parameter.kind !== 'pack') return [];
    const fields = parameter.columns.map((column) =>
      column.isNullable
        ? `  ${toCamelCase(column.name)}: ${packColumnType(column.type)} | null | undefined;`
        : `  ${toCamelCase(column.name)}: ${packColumnType(column.type)};`,
    );
    return [
      `/** A row of \`${parameter.name}\`. */`,
      `export interface ${toPackName(title, parameter)} {`,
      ...fields,
      '}',
      '',
    ];
  });
}

function inputInterface(title: string, { parameters, description }: DescribedStatement): string[] {
  if (parameters.length === 0) return [];
  const fields = parameters.map((parameter) => {
    const name = toCamelCase(parameter.name);
    if (parameter.kind === 'pack') return `  ${name}: readonly ${toPackName(title, parameter)}[];`;
    const { typeScript } = description.parameters[parameter.number - 1]!;
    return `  ${name}: ${typeScript}${parameter.isNullable ? ' | null' : ''};`;
  });
  return [`export interface ${title}Input {`, ...fields, '}', ''];
}

function rowInterface(title: string, { statement, description: { columns } }: DescribedStatement): string[] {
  for (const name of statement.types.keys())
    if (!columns.some((column) => column.name === name))
      throw new Error(`${statement.name}: no column ${name} to type`);
  const fields = columns.map(({ name, type: databaseType, isNullable }) => {
    const type = statement.types.get(name)?.name ?? databaseType;
    const key = /^\w+$/.test(name) ? name : `'${name}'`;
    return `  ${key}: ${type}${isNullable && type !== 'unknown' ? ' | null' : ''};`;
  });
  return [`export interface ${title}Row {`, ...fields, '}', ''];
}

function runFunction(name: string, title: string, constant: string, described: DescribedStatement): string[] {
  const { statement, parameters } = described;
  const outcome = {
    many: [`Promise<${title}Row[]>`, 'const { rows } = await ', 'return rows;'],
    one: [`Promise<${title}Row | undefined>`, 'const { rows } = await ', 'return rows[0];'],
    execrows: ['Promise<number>', 'const { rowCount } = await ', 'return rowCount ?? 0;'],
    exec: ['Promise<void>', 'await ', ''],
  }[statement.result] as [string, string, string];
  const values = parameters.flatMap((parameter) => renderValues(parameter, described));
  const row = outcome[0].includes('Row') ? `<${title}Row>` : '';
  return [
    `export async function ${name}(db: Queryable${parameters.length > 0 ? `, input: ${title}Input` : ''}): ${outcome[0]} {`,
    `  ${outcome[1]}db.query${row}({`,
    ...(statement.isUnprepared ? [] : [`    name: '${statement.name}',`]),
    `    text: ${constant},`,
    ...(values.length > 0 ? ['    values: [', ...values.map((value) => `      ${value},`), '    ],'] : []),
    '  });',
    ...(outcome[2] ? [`  ${outcome[2]}`] : []),
    '}',
  ];
}

function renderValues(parameter: Parameter, { description }: DescribedStatement): string[] {
  const value = `input.${toCamelCase(parameter.name)}`;
  if (parameter.kind === 'pack') return toArrays(parameter.columns).map((array) => renderArray(value, array));
  if (!description.parameters[parameter.number - 1]!.isPlainArray) return [value];
  return [parameter.isNullable ? `${value} && arrayLiteral(${value})` : `arrayLiteral(${value})`];
}

function renderArray(rows: string, { type, columns, isShared }: PackArray): string {
  if (isShared) return `${type}Array(${rows}, [${columns.map((column) => `(r) => ${readField(column)}`).join(', ')}])`;
  const [column] = columns as [PackColumn];
  const values = `${rows}.map((r) => ${readField(column)})`;
  if (type === 'text') return `textArray(${values})`;
  return type === 'bytea' && !column.isNullable ? `byteaArray(${values})` : `binaryArray('${type}', ${values})`;
}

function readField({ name, type, isNullable }: PackColumn): string {
  const field = `r.${toCamelCase(name)}`;
  if (!type.endsWith('[]')) return field;
  return isNullable ? `${field} && arrayLiteral(${field})` : `arrayLiteral(${field})`;
}

function toPackName(title: string, { name }: { name: string }): string {
  const pack = toCamelCase(name);
  return `${title}${pack[0]!.toUpperCase()}${pack.slice(1)}Row`;
}

export function toCamelCase(name: string): string {
  return name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function documentation(lines: readonly string[]): string[] {
  const text = lines.join('\n').trim().replaceAll('*/', '* /');
  if (text === '') return [];
  const [first, ...rest] = text.split('\n') as [string, ...string[]];
  if (rest.length === 0) return [`/** ${first} */`];
  return ['/**', ...[first, ...rest].map((line) => ` * ${line}`.trimEnd()), ' */'];
}

function escapeTemplate(text: string): string {
  return text.replaceAll(/[\\`]|\$\{/g, (found) => `\\${found}`);
}

function indent(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}
