import { resolveSchema, type Schema, type Schemas } from './schema.js';

/** Returns a property that every member requires, with constant values by which they differ. */
export function findDiscriminator(members: readonly Schema[], schemas: Schemas): string | undefined {
  const [first] = members;
  if (!first || members.length < 2) return undefined;
  const names = Object.keys(firstForm(first, schemas).properties ?? {});
  return names.find((name) => {
    const all = members.map((member) => readValues(member, name, schemas));
    if (all.some((values) => values === undefined)) return false;
    // Members with the same values are forms of one.
    const lists = new Map(all.map((values) => [values!.join(), values!]));
    const values = [...lists.values()].flat();
    return lists.size > 1 && new Set(values).size === values.length;
  });
}

/** Groups the members of a union by their values of the discriminator. */
export function groupByValue(members: readonly Schema[], name: string, schemas: Schemas) {
  const groups = new Map<string, { values: string[]; forms: Schema[] }>();
  for (const member of members) {
    const values = readValues(member, name, schemas) ?? [];
    const group = groups.get(values.join());
    if (group) group.forms.push(member);
    else groups.set(values.join(), { values, forms: [member] });
  }
  return [...groups.values()];
}

/** Returns the constant values of a required property; of a member with several forms, if all have the same. */
function readValues(member: Schema, name: string, schemas: Schemas): string[] | undefined {
  const schema = resolveSchema(member, schemas);
  const forms = schema.oneOf ?? schema.anyOf;
  if (forms) {
    const [values, ...others] = forms.map((form) => readValues(form, name, schemas));
    return others.every((other) => other?.join() === values?.join()) ? values : undefined;
  }
  const property = schema.properties?.[name];
  if (!property || !schema.required?.includes(name)) return undefined;
  const { const: value, enum: values } = resolveSchema(property, schemas);
  const all = value === undefined ? values : [value];
  return all?.every((one) => typeof one === 'string') ? (all as string[]) : undefined;
}

/** Whether the schema is an object, or a union of objects. */
export function isObject(member: Schema, schemas: Schemas): boolean {
  const schema = resolveSchema(member, schemas);
  const forms = schema.oneOf ?? schema.anyOf;
  return forms ? forms.every((form) => isObject(form, schemas)) : schema.type === 'object';
}

function firstForm(member: Schema, schemas: Schemas): Schema {
  const schema = resolveSchema(member, schemas);
  const [first] = schema.oneOf ?? schema.anyOf ?? [];
  return first ? firstForm(first, schemas) : schema;
}
