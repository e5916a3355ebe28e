import { createRunBody, workflowBody, workflowSpecSchema } from '@tollgate/api/runs';
import { z } from 'zod';
import { mapSubschemas, refTo, type Schema, type Schemas } from './schema.js';
import { isStructure, schemaNames } from './schema-names.js';
import { tidy } from './tidy.js';

export type Direction = 'input' | 'output';

export interface SchemaWriter {
  /**
   * Returns the JSON Schema of a value that a client sends or receives. Named schemas become components, and so does the
   * schema itself under the fallback name. References carry the direction until `finish` is called.
   */
  write(schema: z.ZodType, direction: Direction, fallbackName?: string): Schema;
  /** Components so far, by name and direction. */
  readonly components: Schemas;
}

/** Schemas that validate less than the document says: the engine validates specs. */
const documentedAs = new Map<z.ZodType, z.ZodType>([
  [createRunBody.shape.spec, workflowSpecSchema],
  [workflowBody, workflowSpecSchema],
]);

export function schemaWriter(): SchemaWriter {
  const names = schemaNames();
  const taken = new Set(names.values());
  const components: Schemas = {};
  const metadata = namingRegistry(names);
  const reserve = (name: string): string => {
    const free = taken.has(name) ? `${name}${[...taken].filter((one) => one.startsWith(name)).length + 1}` : name;
    taken.add(free);
    return free;
  };

  function write(schema: z.ZodType, direction: Direction, fallbackName?: string): Schema {
    if (fallbackName !== undefined && !names.has(schema) && isStructure(schema))
      names.set(schema, reserve(fallbackName));
    const converted = z.toJSONSchema(schema, {
      io: direction,
      unrepresentable: 'any',
      metadata,
      override: ({ zodSchema, jsonSchema }) =>
        replace(zodSchema as unknown as z.ZodType, jsonSchema as Schema, direction),
    }) as Schema;
    const { $schema: _, $defs = {}, ...root } = converted as Schema & { $defs?: Schemas };
    const isRecursive = JSON.stringify(root).includes('"$ref":"#"');
    if (isRecursive && !names.has(schema)) {
      names.set(schema, reserve(fallbackName ?? 'Recursive'));
      return write(schema, direction);
    }
    const renamed = renameRecursive($defs, reserve);
    for (const [id, definition] of Object.entries($defs)) {
      const name = renamed.get(id) ?? id;
      const { id: _id, ...rest } = definition;
      if (name !== ANY) components[`${name}:${direction}`] ??= tidy(relink(rest, renamed, direction));
    }
    return tidy(relink(root, renamed, direction));
  }

  /** Corrects what zod writes about a schema. */
  function replace(schema: z.ZodType, json: Schema, direction: Direction): void {
    const documented = documentedAs.get(schema);
    if (documented) {
      for (const keyword of Object.keys(json)) delete json[keyword];
      Object.assign(json, write(documented, direction));
    }
    // Clients ignore members that they do not know: an answer may get more of them.
    const isOpen = schema instanceof z.ZodObject && !schema.def.catchall;
    if (direction === 'output' && isOpen) delete json.additionalProperties;
  }

  return { write, components };
}

/** Stands for any JSON value. */
const ANY = '';

/** Names the definitions that zod makes for recursive schemas. Any JSON value needs no definition. */
function renameRecursive(definitions: Schemas, reserve: (name: string) => string): Map<string, string> {
  const renamed = new Map<string, string>();
  for (const [id, { anyOf = [] }] of Object.entries(definitions)) {
    if (!id.startsWith('__schema')) continue;
    const types = new Set(anyOf.map(({ type }) => type));
    const isAny = ['string', 'number', 'boolean', 'null', 'array', 'object'].every((type) => types.has(type));
    renamed.set(id, isAny ? ANY : reserve('Recursive'));
  }
  return renamed;
}

function relink(schema: Schema, renamed: ReadonlyMap<string, string>, direction: Direction): Schema {
  const id = schema.$ref?.startsWith('#/$defs/') ? schema.$ref.slice('#/$defs/'.length) : undefined;
  const copy = mapSubschemas(schema, (child) => relink(child, renamed, direction));
  if (id === undefined) return copy;
  const { $ref: _, ...rest } = copy;
  const name = renamed.get(id) ?? id;
  return name === ANY ? rest : { ...rest, ...refTo(`${name}:${direction}`) };
}

/** Adds the names to the metadata that schemas have of their own. */
function namingRegistry(names: ReadonlyMap<z.ZodType, string>) {
  const registry = z.registry<z.core.GlobalMeta>();
  registry.get = ((schema: z.ZodType) => {
    const { id: _, ...own } = z.globalRegistry.get(schema) ?? {};
    const id = names.get(schema);
    return id === undefined ? own : { ...own, id };
  }) as typeof registry.get;
  return registry;
}
