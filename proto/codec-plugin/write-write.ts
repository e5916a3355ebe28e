import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { block, describeScalar, isOptional, type Source, toTag, unsupported } from './source.js';

const LENGTH_DELIMITED = 2;

/** Takes the init form as well as whole messages: what is absent is not written. */
export function writeWrite(desc: DescMessage, source: Source): string[] {
  const fields = [...desc.fields].sort((a, b) => a.number - b.number);
  return block(`export function ${source.use('write', desc)}(writer: MessageWriter, message: Init): void`, [
    ...fields.flatMap((field) => (field.oneof ? writeCase(field, source) : writeField(field, source))),
    'if (message.$unknown) writer.unknown(message.$unknown);',
  ]);
}

function writeCase(field: DescField, source: Source): string[] {
  const oneof = `message.${field.oneof?.localName}`;
  return block(`if (${oneof}?.case === '${field.localName}')`, [
    `const value = ${oneof}.value;`,
    ...writeValue(field, source),
  ]);
}

function writeField(field: DescField, source: Source): string[] {
  const value = field.localName;
  return block('', [`const value = message.${value};`, ...writeSet(field, source)]).map((line, i) =>
    i === 0 ? '{' : line,
  );
}

function writeSet(field: DescField, source: Source): string[] {
  switch (field.fieldKind) {
    case 'list':
      return block('if (value?.length > 0)', writeList(field, source));
    case 'map':
      return block('for (const key of Object.keys(value ?? {}))', writeEntry(field));
    default:
      return block(`if (${isSet(field)})`, writeValue(field, source));
  }
}

/** Zero values are not written, unless the field records whether it is set. */
function isSet(field: DescField): string {
  if (isOptional(field)) return 'value != null';
  if (field.scalar === ScalarType.BYTES) return 'value?.length > 0';
  return field.scalar === ScalarType.DOUBLE ? 'value != null && !Object.is(value, 0)' : 'value';
}

function writeValue(field: DescField, source: Source): string[] {
  if (field.fieldKind === 'message') return writeMessage(field.number, source.use('write', field.message), 'value');
  const { method, wireType } = describeScalar(field);
  return [`writer.uint32(${toTag(field.number, wireType)});`, `writer.${method}(value);`];
}

function writeList(field: DescField & { fieldKind: 'list' }, source: Source): string[] {
  if (field.listKind === 'message') {
    return block('for (const item of value)', writeMessage(field.number, source.use('write', field.message), 'item'));
  }
  const { method, wireType } = describeScalar(field);
  if (!field.packed) {
    return block('for (const item of value)', [
      `writer.uint32(${toTag(field.number, wireType)});`,
      `writer.${method}(item);`,
    ]);
  }
  return delimited(field.number, [`for (const item of value) writer.${method}(item);`]);
}

/** An entry is a message of its key, field 1, and its value, field 2. */
function writeEntry(field: DescField & { fieldKind: 'map' }): string[] {
  if (field.mapKey !== ScalarType.STRING || field.mapKind !== 'scalar') throw unsupported(field, 'the map');
  const { method, wireType } = describeScalar(field);
  return delimited(field.number, [
    `writer.uint32(${toTag(1, LENGTH_DELIMITED)});`,
    'writer.string(key);',
    `writer.uint32(${toTag(2, wireType)});`,
    `writer.${method}(value[key]);`,
  ]);
}

function writeMessage(number: number, write: string, value: string): string[] {
  return delimited(number, [`${write}(writer, ${value});`]);
}

function delimited(number: number, lines: readonly string[]): string[] {
  const tag = toTag(number, LENGTH_DELIMITED);
  return [`writer.uint32(${tag});`, 'const start = writer.fork();', ...lines, 'writer.join(start);'];
}
