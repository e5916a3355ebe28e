import { findDiscriminator, groupByValue, isObject } from './discriminators.js';
import { mapSubschemas, refName, refTo, type Schema, type Schemas, toPascalCase } from './schema.js';

/** Returns the name of a new component, or of a known one with the same schema. */
type Add = (name: string, schema: Schema) => string;

/** Small objects that are equal by chance keep names of their own. */
const SHARED_CHARS_MIN = 150;

/**
 * Names every object and union inside the schemas, because generators make worse names of their own, or none. Adds a
 * discriminator to each union of objects that differ by a property. The schemas get the new components.
 */
export function nameParts(schemas: Schemas): void {
  const pending = Object.keys(schemas);
  const names = new Map(Object.entries(schemas).map(([name, schema]) => [JSON.stringify(schema), name]));
  const add: Add = (name, schema) => {
    const text = JSON.stringify(schema);
    const known = text.length < SHARED_CHARS_MIN ? undefined : names.get(text);
    if (known !== undefined) return known;
    const free = toFreeName(name, schemas);
    names.set(text, free);
    schemas[free] = schema;
    pending.push(free);
    return free;
  };
  for (let name = pending.shift(); name !== undefined; name = pending.shift()) {
    schemas[name] = nameWithin(schemas[name]!, name, schemas, add);
  }
}

function nameWithin(schema: Schema, name: string, schemas: Schemas, add: Add): Schema {
  const members = schema.oneOf ?? schema.anyOf;
  if (members) return nameUnion(schema, members, name, schemas, add);
  return mapSubschemas(schema, (child, own) => {
    const childName = own === undefined ? name.replace(/([a-z])s$/, '$1') : `${name}${toPascalCase(own)}`;
    return nameChild(child, childName, schemas, add);
  });
}

function nameChild(child: Schema, name: string, schemas: Schemas, add: Add): Schema {
  if (!child.properties) return nameWithin(child, name, schemas, add);
  const { description, default: _, ...rest } = child;
  const ref = refTo(add(name, { ...rest, type: 'object' }));
  const isNullable = Array.isArray(child.type) && child.type.includes('null');
  const part: Schema = isNullable ? { anyOf: [ref, { type: 'null' }] } : ref;
  return description === undefined ? part : { ...part, description };
}

function nameUnion(schema: Schema, members: Schema[], name: string, schemas: Schemas, add: Add): Schema {
  const { anyOf: _any, oneOf: _one, ...rest } = schema;
  const objects = members.filter((member) => isObject(member, schemas));
  const others = members.filter((member) => !objects.includes(member));
  const propertyName = findDiscriminator(objects, schemas);
  if (propertyName === undefined) {
    const named = members.map((member) => nameChild(member, toFormName(name, member, objects), schemas, add));
    return { ...rest, anyOf: named };
  }
  if (others.length > 0) {
    const isNull = ({ type }: Schema): boolean => type === 'null';
    const group = refTo(add(others.every(isNull) ? name : `${name}Object`, { oneOf: objects }));
    const values = others.filter((other) => !isNull(other)).map((other) => nameChild(other, name, schemas, add));
    return { ...rest, anyOf: [...values, group, ...others.filter(isNull)] };
  }
  const mapping: Record<string, string> = {};
  const oneOf = groupByValue(objects, propertyName, schemas).map(({ values, forms }) => {
    const [form] = forms as [Schema];
    const known = forms.length === 1 ? refName(form) : undefined;
    const ref = refTo(known ?? add(toMemberName(name, values[0]!), forms.length === 1 ? form : { anyOf: forms }));
    for (const value of values) mapping[value] = ref.$ref!;
    return ref;
  });
  return { ...rest, oneOf, discriminator: { propertyName, mapping } };
}

/** `RunEvent`, `node_started` → `NodeStartedEvent`; `ContentPart`, `text` → `ContentPartText` */
function toMemberName(union: string, value: string): string {
  return union.endsWith('Event') ? `${toPascalCase(value)}Event` : `${union}${toPascalCase(value)}`;
}

/** Names a form of a value after the first property that this form requires and the others do not. */
function toFormName(union: string, form: Schema, forms: readonly Schema[]): string {
  const others = forms.filter((other) => other !== form);
  const own = form.required?.find((name) => others.every(({ required = [] }) => !required.includes(name)));
  return own === undefined || others.length === 0 ? union : `${union}${toPascalCase(own)}`;
}

function toFreeName(name: string, schemas: Schemas): string {
  for (let count = 2, free = name; ; count++) {
    if (!(free in schemas)) return free;
    free = `${name}${count}`;
  }
}
