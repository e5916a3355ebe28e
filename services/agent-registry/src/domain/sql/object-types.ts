import { isNode } from './ast.js';

/** PostgreSQL's types whose values are names of objects: a cast finds out whether a table or a role exists. */
const OBJECT_TYPE = /\breg(?:class|collation|config|dictionary|namespace|oper|operator|proc|procedure|role|type)\b/i;

/** Whether a statement converts to a type that names objects of the database, also in an array or with a schema. */
export function namesObjectType(tree: unknown): boolean {
  if (Array.isArray(tree)) return tree.some(namesObjectType);
  if (!isNode(tree)) return false;
  return Object.entries(tree).some(([key, contents]) =>
    key === 'data_type' ? OBJECT_TYPE.test(JSON.stringify(contents)) : namesObjectType(contents),
  );
}
