// The types that values have in TypeScript: what this package's parsers return and what the driver sends.

/** A type of the database. */
export interface TypeRow {
  id: number;
  /** As in `pg_type`: `int8`, `_uuid`. */
  name: string;
  /** Labels of an enum. */
  labels: string[];
}

/** How a parameter is written and sent. */
export interface ParameterDescription {
  typeScript: string;
  /** The array is sent as a literal without quotes, which costs the driver least. */
  isPlainArray: boolean;
}

/** TypeScript text. */
export type ResultType = string;

const RESULTS: Readonly<Record<string, ResultType>> = {
  bool: 'boolean',
  bytea: 'Buffer',
  int2: 'number',
  int4: 'number',
  int8: 'bigint',
  float4: 'number',
  float8: 'number',
  numeric: 'string',
  text: 'string',
  varchar: 'string',
  bpchar: 'string',
  name: 'string',
  uuid: 'string',
  json: 'unknown',
  jsonb: 'unknown',
  date: 'Date',
  timestamp: 'Date',
  timestamptz: 'Date',
  void: 'unknown',
  _bool: 'boolean[]',
  _int2: 'number[]',
  _int4: 'number[]',
  _int8: 'bigint[]',
  _text: 'string[]',
  _varchar: 'string[]',
  _uuid: 'string[]',
  _timestamptz: 'Date[]',
};

export function resultType(column: string, { name, labels }: TypeRow): ResultType {
  if (labels.length > 0) return labels.map((label) => `'${label}'`).join(' | ');
  const type = RESULTS[name];
  if (!type) throw new Error(`the column ${column} has the type ${name}, which has no form in TypeScript; cast it`);
  return type;
}

/** JSON is sent as text: the driver would send a list as an array of PostgreSQL. */
const PARAMETERS: Readonly<Record<string, string>> = {
  bool: 'boolean',
  bytea: 'Uint8Array',
  int2: 'number',
  int4: 'number',
  int8: 'bigint | number',
  float4: 'number',
  float8: 'number',
  numeric: 'string | bigint | number',
  text: 'string',
  varchar: 'string',
  bpchar: 'string',
  name: 'string',
  uuid: 'string',
  json: 'string',
  jsonb: 'string',
  date: 'string',
  timestamp: 'Date',
  timestamptz: 'Date',
  interval: 'string',
  regclass: 'string',
  regnamespace: 'string',
  _bool: 'readonly boolean[]',
  _int2: 'readonly number[]',
  _int4: 'readonly number[]',
  _int8: 'readonly (bigint | number)[]',
  _text: 'readonly (string | null)[]',
  _varchar: 'readonly (string | null)[]',
  _uuid: 'readonly string[]',
  _timestamptz: 'readonly (Date | null)[]',
  _bytea: 'readonly Uint8Array[]',
};

/** Elements that need no quotes. */
const PLAIN_ARRAYS = new Set(['_int2', '_int4', '_int8', '_uuid']);

export function parameterType({ name, labels }: TypeRow): ParameterDescription {
  if (labels.length > 0) return { typeScript: labels.map((label) => `'${label}'`).join(' | '), isPlainArray: false };
  const typeScript = PARAMETERS[name];
  if (!typeScript) throw new Error(`a parameter has the type ${name}, which has no form in TypeScript; cast it`);
  return { typeScript, isPlainArray: PLAIN_ARRAYS.has(name) };
}

/** The TypeScript type of a column in a row of a pack. */
export function packColumnType(type: string): string {
  const known: Record<string, string> = {
    uuid: 'string',
    bigint: 'bigint | number',
    int: 'number',
    smallint: 'number',
    bytea: 'Uint8Array',
    bool: 'boolean',
    timestamptz: 'Date',
    'bigint[]': 'readonly (bigint | number | null)[]',
    'int[]': 'readonly (number | null)[]',
    'uuid[]': 'readonly string[]',
  };
  if (type.endsWith('[]') && !known[type]) throw new Error(`a pack cannot have the type ${type}`);
  return known[type] ?? 'string';
}
