import { type DescField, type DescFile, type DescMessage, ScalarType } from '@bufbuild/protobuf';

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

/** The names that the functions of one file use, and their imports. */
export class Source {
  readonly #file: DescFile;
  /** Functions of other files, by their file's name. */
  readonly #used = new Map<string, Set<string>>();
  readonly #schemas = new Set<string>();

  /** @throws Error for what our contracts do not use: proto2, editions, groups, well-known types but Timestamp */
  constructor(file: DescFile) {
    if (file.edition !== PROTO3) throw unsupported(file, 'its edition');
    this.#file = file;
  }

  /** The name of a message's function in this file. */
  use(verb: 'create' | 'write' | 'read', message: DescMessage): string {
    if (/^google\.protobuf\.(?!Timestamp$)/.test(message.typeName)) throw unsupported(message, 'the type');
    const name = `${verb}${typeName(message)}`;
    if (message.file !== this.#file) {
      const used = this.#used.get(message.file.name) ?? new Set();
      this.#used.set(message.file.name, used.add(name));
    }
    return name;
  }

  register(message: DescMessage): string {
    const name = typeName(message);
    this.#schemas.add(name);
    return `registerCodec(${name}Schema, { create: create${name}, write: write${name}, read: read${name} });`;
  }

  imports(): string[] {
    const up = '../'.repeat(this.#file.name.split('/').length - 1);
    const isWellKnown = this.#file.name.startsWith('google/');
    const es = isWellKnown ? '@bufbuild/protobuf/wkt' : `${up}../messages/${this.#file.name}_pb.js`;
    const names = [...this.#schemas].sort();
    const others = [...this.#used].sort().map(([file, used]) => {
      const path = `${up}${file}_pb.js`;
      return `import { ${[...used].sort().join(', ')} } from '${path.startsWith('.') ? path : `./${path}`}';`;
    });
    return [
      "import type { BinaryReader } from '@bufbuild/protobuf/wire';",
      ...(names.length > 0
        ? [`import { ${names.flatMap((name) => [`type ${name}`, `${name}Schema`]).join(', ')} } from '${es}';`]
        : []),
      `import { type Init, type MessageWriter, NO_BYTES, registerCodec } from '${up}../../codec/index.js';`,
      ...others,
      ...(isWellKnown ? [] : ['', `export * from '${es}';`]),
    ];
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

export function toTag(number: number, wireType: number): number {
  return ((number << 3) | wireType) >>> 0;
}

/** A statement with its block, one line each. */
export function block(head: string, lines: readonly string[]): string[] {
  return [`${head} {`, ...lines.map((line) => `  ${line}`), '}'];
}

/** The name of the type in TypeScript: those of nested messages are joined by underscores. */
export function typeName({ typeName: full, file }: DescMessage): string {
  const name = file.proto.package === '' ? full : full.slice(file.proto.package.length + 1);
  return name.replaceAll('.', '_');
}
