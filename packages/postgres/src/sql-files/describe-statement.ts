import type pg from 'pg';
import { type ParameterDescription, parameterType, type ResultType, resultType, type TypeRow } from './value-types.js';

export interface DescribedColumn {
  name: string;
  type: ResultType;
  isNullable: boolean;
}

export interface Description {
  /** TypeScript types of `$1`, `$2`, … */
  parameters: ParameterDescription[];
  columns: DescribedColumn[];
}

interface Field {
  name: string;
  tableID: number;
  columnID: number;
  dataTypeID: number;
}

/** The parts of the driver's connection that send messages of the extended protocol. */
interface Wire {
  parse(message: { text: string; name?: string }): void;
  describe(message: { type: 'S' | 'P'; name?: string }): void;
  sync(): void;
  once(event: 'parameterDescription', listener: (message: { dataTypeIDs: number[] }) => void): void;
}

/** An alias `"name!"` is never null, `"name?"` may be. */
const MARKED = /^(.+?)([!?])$/;
const OUTER_JOIN = /\b(LEFT|RIGHT|FULL)\s+(OUTER\s+)?JOIN\b/i;

/** Returns the text without the marks of its aliases, as the service sends it. */
export function removeMarks(text: string): string {
  return text.replaceAll(/\bAS\s+"(\w+)[!?]"/gi, 'AS "$1"');
}

/**
 * Asks the server for the types of a statement without running it.
 *
 * A column of a table is nullable if the table says so, or if the statement has an outer join. An expression is nullable. The
 * marks of an alias say otherwise.
 *
 * @throws Error if the server rejects the statement, or a type has no safe form in TypeScript
 */
export async function describeStatement(client: pg.ClientBase, text: string): Promise<Description> {
  const { parameterIds, fields } = await askServer(client, text);
  const types = await readTypes(client, [...parameterIds, ...fields.map((field) => field.dataTypeID)]);
  const notNull = await readNotNull(client, fields);
  const hasOuterJoin = OUTER_JOIN.test(text);
  return {
    parameters: parameterIds.map((id) => parameterType(types.get(id)!)),
    columns: fields.map((field) => {
      const [, name = field.name, mark] = MARKED.exec(field.name) ?? [];
      const isNotNull = mark === '!' || (mark === undefined && !hasOuterJoin && notNull.has(toKey(field)));
      return { name, type: resultType(name, types.get(field.dataTypeID)!), isNullable: !isNotNull };
    }),
  };
}

function askServer(client: pg.ClientBase, text: string): Promise<{ parameterIds: number[]; fields: Field[] }> {
  return new Promise((resolve, reject) => {
    let parameterIds: number[] = [];
    let fields: Field[] = [];
    const described = {
      submit(wire: Wire) {
        wire.once('parameterDescription', ({ dataTypeIDs }) => {
          parameterIds = dataTypeIDs;
        });
        wire.parse({ text });
        wire.describe({ type: 'S' });
        wire.sync();
      },
      handleRowDescription(message: { fields: Field[] }) {
        fields = message.fields;
      },
      handleError: reject,
      handleReadyForQuery: () => resolve({ parameterIds, fields }),
    };
    client.query(described as unknown as pg.Submittable);
  });
}

async function readTypes(client: pg.ClientBase, ids: readonly number[]): Promise<Map<number, TypeRow>> {
  const { rows } = await client.query<TypeRow>(
    `SELECT t.oid::int AS id, t.typname AS name,
       ARRAY(SELECT e.enumlabel::text FROM pg_enum e WHERE e.enumtypid = t.oid ORDER BY e.enumsortorder) AS labels
     FROM pg_type t WHERE t.oid = ANY($1::oid[])`,
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

async function readNotNull(client: pg.ClientBase, fields: readonly Field[]): Promise<Set<string>> {
  const { rows } = await client.query<{ table: number; column: number }>(
    `SELECT attrelid::int AS table, attnum::int AS column FROM pg_attribute WHERE attrelid = ANY($1::oid[]) AND attnotnull`,
    [fields.map((field) => field.tableID)],
  );
  return new Set(rows.map(({ table, column }) => `${table}.${column}`));
}

function toKey({ tableID, columnID }: Field): string {
  return `${tableID}.${columnID}`;
}
