/** An empty body counts as an empty object, as for every route. */
export const EMPTY_SPEC = Buffer.from('{}');
