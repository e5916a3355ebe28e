import pg from 'pg';

/**
 * Result parsers of every connection of this package: `bigint` columns become JavaScript `bigint`, because money is
 * bigint microcents and must never pass through a float. Everything else is node-postgres' default.
 */
export const resultTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') => {
    if (oid === pg.types.builtins.INT8 && format !== 'binary') return BigInt;
    return pg.types.getTypeParser(oid, format as 'text');
  }) as typeof pg.types.getTypeParser,
};
