import type { RouteDoc } from '../exchange/route-doc.js';
import { toPascalCase } from './schemas/schema.js';

const VERBS = { GET: 'get', POST: 'create', PUT: 'set', PATCH: 'update', DELETE: 'delete' } as const;

/** Returns the route's operation id, or one made from its address: `GET /things/:id/parts` is `listThingParts`. */
export function toOperationId({ operationId, method, path }: RouteDoc): string {
  if (operationId) return operationId;
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== 'v1');
  const last = segments.at(-1) ?? 'root';
  const isOne = last.startsWith(':');
  const words = segments.flatMap((segment, at) => {
    if (segment.startsWith(':')) return [];
    const isNamed = segments[at + 1]?.startsWith(':') ?? false;
    return [toPascalCase(isNamed ? segment.replace(/s$/, '') : segment)];
  });
  const isList = method === 'GET' && !isOne && last.endsWith('s');
  return `${isList ? 'list' : VERBS[method]}${words.join('')}`;
}

/** Returns an id that no earlier operation has. */
export function toUniqueId(id: string, taken: Set<string>): string {
  let free = id;
  for (let count = 2; taken.has(free); count++) free = `${id}${count}`;
  taken.add(free);
  return free;
}
