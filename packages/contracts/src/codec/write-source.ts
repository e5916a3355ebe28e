import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';
import { describeScalar, type FunctionSource, isOptional, type Source, unsupported } from './source.js';

const LENGTH_DELIMITED = 2;

/** Takes the init form as well as whole messages: what is absent is not written. */
export function writeWriteSource(desc: DescMessage, source: Source): FunctionSource {
  const fields = [...desc.fields].sort((a, b) => a.number - b.number);
  const body = [
    ...fields.map((field) => (field.oneof ? writeCase(field, source) : writeField(field, source))),
    'if (message.$unknown) for (const { no, wireType, data } of message.$unknown) {',
    'writer.uint32(((no << 3) | wireType) >>> 0); writer.raw(data);',
    '}',
  ];
  return { parameters: 'writer, message', body: body.join('\n') };
}

function writeCase(field: DescField, source: Source): string {
  const oneof = `message.${field.oneof?.localName}`;
  return `if (${oneof}?.case === '${field.localName}') { const value = ${oneof}.value; ${writeValue(field, source)} }`;
}

function writeField(field: DescField, source: Source): string {
  const value = `const value = message.${field.localName};`;
  switch (field.fieldKind) {
    case 'list':
      return `{ ${value} if (value?.length > 0) { ${writeList(field, source)} } }`;
    case 'map':
      return `{ ${value} if (value) for (const key of Object.keys(value)) { ${writeEntry(field)} } }`;
    default:
      return `{ ${value} if (${isSet(field)}) { ${writeValue(field, source)} } }`;
  }
}

/** Zero values are not written, unless the field records whether it is set. */
function isSet(field: DescField): string {
  if (isOptional(field)) return 'value != null';
  if (field.scalar === ScalarType.BYTES) return 'value?.length > 0';
  return field.scalar === ScalarType.DOUBLE ? 'value != null && !Object.is(value, 0)' : 'value';
}

function writeValue(field: DescField, source: Source): string {
  if (field.fieldKind === 'message') return writeMessage(field.number, source.codec(field.message), 'value');
  const { method, wireType } = describeScalar(field);
  return `writer.uint32(${toTag(field.number, wireType)}); writer.${method}(value);`;
}

function writeList(field: DescField & { fieldKind: 'list' }, source: Source): string {
  if (field.listKind === 'message') {
    return `for (const item of value) { ${writeMessage(field.number, source.codec(field.message), 'item')} }`;
  }
  const { method, wireType } = describeScalar(field);
  if (!field.packed) {
    return `for (const item of value) { writer.uint32(${toTag(field.number, wireType)}); writer.${method}(item); }`;
  }
  const items = `for (const item of value) writer.${method}(item);`;
  return `writer.uint32(${toTag(field.number, LENGTH_DELIMITED)}); const start = writer.fork(); ${items} writer.join(start);`;
}

/** An entry is a message of its key, field 1, and its value, field 2. */
function writeEntry(field: DescField & { fieldKind: 'map' }): string {
  if (field.mapKey !== ScalarType.STRING || field.mapKind !== 'scalar') throw unsupported(field, 'the map');
  const { method, wireType } = describeScalar(field);
  const key = `writer.uint32(${toTag(1, LENGTH_DELIMITED)}); writer.string(key);`;
  const value = `writer.uint32(${toTag(2, wireType)}); writer.${method}(value[key]);`;
  const tag = toTag(field.number, LENGTH_DELIMITED);
  return `writer.uint32(${tag}); const start = writer.fork(); ${key} ${value} writer.join(start);`;
}

function writeMessage(number: number, codec: string, value: string): string {
  const tag = toTag(number, LENGTH_DELIMITED);
  return `writer.uint32(${tag}); const start = writer.fork(); ${codec}.write(writer, ${value}); writer.join(start);`;
}

export function toTag(number: number, wireType: number): number {
  return ((number << 3) | wireType) >>> 0;
}
