import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';

/** The text of a generated function. */
export interface FunctionSource {
  parameters: string;
  body: string;
}

const PROTO3 = 999;
const IMPLICIT = 2;

/** Names of methods of writer and reader, and zero values, by scalar type. Our contracts use no others. */
const SCALARS: Partial<Record<ScalarType, { method: string; zero: string; wireType: number }>> = {
  [ScalarType.STRING]: { method: 'string', zero: "''", wireType: 2 },
  [ScalarType.BYTES]: { method: 'bytes', zero: 'NO_BYTES', wireType: 2 },
  [ScalarType.BOOL]: { method: 'bool', zero: 'false', wireType: 0 },
  [ScalarType.INT32]: { method: 'int32', zero: '0', wireType: 0 },
  [ScalarType.UINT32]: { method: 'uint32', zero: '0', wireType: 0 },
  [ScalarType.INT64]: { method: 'int64', zero: '0n', wireType: 0 },
  [ScalarType.DOUBLE]: { method: 'double', zero: '0', wireType: 1 },
};

/** Collects the codecs that a generated function uses. */
export class Source {
  readonly messages: DescMessage[] = [];

  /** @throws Error for what our contracts do not use: proto2, editions, groups, well-known types that the library unwraps */
  constructor(desc: DescMessage) {
    if (desc.file.edition !== PROTO3) throw unsupported(desc, 'its edition');
    if (/^google\.protobuf\.(?!Timestamp$)/.test(desc.typeName)) throw unsupported(desc, 'the type');
  }

  get declarations(): string {
    return this.messages.map((_, i) => `const codec${i} = codecs[${i}];`).join('\n');
  }

  /** Returns the name of the codec of a message. */
  codec(desc: DescMessage): string {
    const known = this.messages.indexOf(desc);
    return `codec${known >= 0 ? known : this.messages.push(desc) - 1}`;
  }
}

/** How one value of a field is written and read: a scalar, an enum's number, or an item of a list of them. */
export function describeScalar(field: DescField): { method: string; zero: string; wireType: number } {
  const type = field.scalar ?? ScalarType.INT32;
  const scalar = SCALARS[type];
  if (!scalar || (field.fieldKind === 'enum' && !field.enum.open)) throw unsupported(field, `scalar type ${type}`);
  return scalar;
}

/** Whether the field is absent from a message in which it is not set. */
export function isOptional(field: DescField): boolean {
  return field.fieldKind === 'message' || field.presence !== IMPLICIT;
}

export function unsupported(desc: { toString(): string }, what: string): Error {
  return new Error(`${desc}: ${what} is not supported`);
}
