import { parseExactJson } from '@tollgate/runtime';
import pg from 'pg';

/** Type of `bigint[]`; not among the driver's named types. */
const INT8_ARRAY = 1016;

/**
 * Result parsers of every connection of this package: `bigint` columns become JavaScript `bigint`, because money is
 * bigint microcents and must never pass through a float, and numbers in JSON keep their digits where they are written with
 * `writeExactJson`. Everything else is node-postgres' default.
 */
export const resultTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.INT8 && format !== 'binary') return BigInt;
    if ((oid === pg.types.builtins.JSON || oid === pg.types.builtins.JSONB) && format !== 'binary')
      return parseExactJson;
    if (oid === INT8_ARRAY && format !== 'binary') return parseBigintArray;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as typeof pg.types.getTypeParser,
};

/** `{1,2}`: one dimension, no NULLs. */
function parseBigintArray(text: string): bigint[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(BigInt);
}
