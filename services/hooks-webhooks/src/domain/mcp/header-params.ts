import { isJsonObject } from '@tollgate/runtime/json-object';
import { z } from 'zod';

/** Marks a property whose argument clients of version 2026-07-28 repeat in the header `Mcp-Param-<mark>`. */
const MARK = 'x-mcp-header';

/** A name of RFC 9110, section 5.1. */
const TOKEN = /^[!#$%&'*+.^_`|~\w-]{1,200}$/;
const PRIMITIVES = new Set<unknown>(['string', 'integer', 'boolean']);

/** Keywords of JSON Schema whose members have names that the server chose. */
const namedSchemas = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
/** Keywords whose members are values, not schemas. */
const values = new Set(['default', 'examples', 'enum', 'const']);

export const headerParamSchema = z.object({
  header: z.string(),
  /** From the arguments to the value. */
  path: z.array(z.string()),
});
/** An argument that a call repeats in a header. */
export type HeaderParam = z.output<typeof headerParamSchema>;

/** Returns the marked properties of a tool's schema, or why the marks are against the protocol's rules. */
export function findHeaderParams(schema: Readonly<Record<string, unknown>>): HeaderParam[] | string {
  const found: HeaderParam[] = [];
  let fault: string | undefined;

  /** `path` is undefined where no header may be asked for: in lists, alternatives and definitions. */
  const visit = (node: unknown, path: string[] | undefined): void => {
    if (Array.isArray(node)) for (const item of node) visit(item, undefined);
    if (!isJsonObject(node)) return;
    const header = node[MARK];
    if (header !== undefined) {
      fault ??= findMarkFault(node, path, found);
      if (path && typeof header === 'string') found.push({ header, path });
    }
    for (const [keyword, member] of Object.entries(node)) {
      if (values.has(keyword) || keyword === MARK) continue;
      if (!namedSchemas.has(keyword) || !isJsonObject(member)) visit(member, undefined);
      else {
        const parent = keyword === 'properties' ? path : undefined;
        for (const [name, property] of Object.entries(member)) visit(property, parent && [...parent, name]);
      }
    }
  };

  visit(schema, []);
  return fault ?? found;
}

function findMarkFault(
  { [MARK]: header, type }: Readonly<Record<string, unknown>>,
  path: readonly string[] | undefined,
  earlier: readonly HeaderParam[],
): string | undefined {
  if (typeof header !== 'string' || !TOKEN.test(header)) return `has an ${MARK} that is no name of a header`;
  if (!path?.length) return `has an ${MARK} at another place than a property`;
  if (!PRIMITIVES.has(type)) return `has an ${MARK} at a property that is no text, integer or boolean`;
  const isTaken = earlier.some((param) => param.header.toLowerCase() === header.toLowerCase());
  return isTaken ? `has the ${MARK} ${header} twice` : undefined;
}

/** Returns a schema without the marks: they mean nothing to models. */
export function withoutHeaderMarks(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withoutHeaderMarks);
  if (!isJsonObject(schema)) return schema;
  const members = Object.entries(schema).filter(([keyword]) => keyword !== MARK);
  return Object.fromEntries(
    members.map(([keyword, member]) => {
      if (values.has(keyword)) return [keyword, member];
      if (!namedSchemas.has(keyword) || !isJsonObject(member)) return [keyword, withoutHeaderMarks(member)];
      return [keyword, Object.fromEntries(Object.entries(member).map(([name, at]) => [name, withoutHeaderMarks(at)]))];
    }),
  );
}

/** Returns the headers that repeat arguments of a call, with names in lower case. */
export function toParamHeaders(params: readonly HeaderParam[], args: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { header, path } of params) {
    const value = path.reduce<unknown>((at, name) => (isJsonObject(at) ? at[name] : undefined), args);
    const isSent = typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);
    if (isSent) headers[`mcp-param-${header.toLowerCase()}`] = encodeHeader(String(value));
  }
  return headers;
}

/** Returns a value as it is, or in the protocol's encoding if HTTP would refuse or change it. */
export function encodeHeader(value: string): string {
  const isPlain = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/.test(value) && !/^=\?base64\?.*\?=$/.test(value);
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`;
}
