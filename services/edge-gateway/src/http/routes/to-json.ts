import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import { z } from 'zod';

type Camel<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Name;
type Member<Schema extends z.ZodObject> = keyof Schema['shape'] & string;
/** Members of the JSON for which the message has no field. */
type Missing<Schema extends z.ZodObject, Message> = {
  [Name in Member<Schema>]: Camel<Name> extends keyof Message ? never : Name;
}[Member<Schema>];

/** Members that are not simply the field of their name: those of the type `Missing` must be there. */
type Own<Schema extends z.ZodObject, Message> = Record<Missing<Schema, Message>, unknown> &
  Partial<Record<Member<Schema>, unknown>>;

interface Field {
  member: string;
  field: string;
  isOptional: boolean;
}

const fieldsOf = new WeakMap<z.ZodObject, readonly Field[]>();

/**
 * Returns the part of a message that clients see, which is what `schema` describes: `endpoint_url` is the field `endpointUrl`. Times
 * become RFC 3339, 64-bit integers numbers; an empty text is left out where its member is optional. `own` has the other members.
 */
export function toJson<Schema extends z.ZodObject, Message extends object>(
  schema: Schema,
  message: Message,
  own: Own<Schema, Message>,
): Record<Member<Schema>, unknown> {
  const json: Record<string, unknown> = {};
  const given: Readonly<Record<string, unknown>> = own;
  const values = message as Readonly<Record<string, unknown>>;
  for (const { member, field, isOptional } of listFields(schema))
    json[member] = member in given ? given[member] : toMember(values[field], isOptional);
  return json as Record<Member<Schema>, unknown>;
}

export function timeJson(at: Timestamp | undefined): string | undefined {
  return at && timestampDate(at).toISOString();
}

function toMember(value: unknown, isOptional: boolean): unknown {
  if (value === '' && isOptional) return undefined;
  if (typeof value === 'bigint') return Number(value);
  return isTimestamp(value) ? timeJson(value) : value;
}

function isTimestamp(value: unknown): value is Timestamp {
  return typeof value === 'object' && value !== null && 'seconds' in value && 'nanos' in value;
}

function listFields(schema: z.ZodObject): readonly Field[] {
  let fields = fieldsOf.get(schema);
  if (!fields) {
    fields = Object.entries(schema.shape).map(([member, type]) => {
      const field = member.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
      return { member, field, isOptional: type instanceof z.ZodOptional };
    });
    fieldsOf.set(schema, fields);
  }
  return fields;
}
