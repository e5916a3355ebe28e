import { randomUUID } from 'node:crypto';

export interface FormFile {
  name: string;
  filename: string;
  mimeType: string;
  bytes: Uint8Array;
}

/** A form with one file, as `multipart/form-data` (RFC 7578). */
export function encodeForm(
  fields: readonly (readonly [name: string, value: string])[],
  file: FormFile,
  boundary = `----tollgate${randomUUID()}`,
): { contentType: string; body: Buffer } {
  const parts: (string | Uint8Array)[] = fields.map(
    ([name, value]) => `--${boundary}\r\ncontent-disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  const disposition = `form-data; name="${quoted(file.name)}"; filename="${quoted(file.filename)}"`;
  parts.push(`--${boundary}\r\ncontent-disposition: ${disposition}\r\ncontent-type: ${oneLine(file.mimeType)}\r\n\r\n`);
  parts.push(file.bytes, `\r\n--${boundary}--\r\n`);
  return { contentType: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(parts.map(toBytes)) };
}

/** Names come from clients: as browsers do, what would end the header or its value is percent-encoded. */
function quoted(text: string): string {
  return text.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}

function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, '');
}

function toBytes(part: string | Uint8Array): Uint8Array {
  return typeof part === 'string' ? Buffer.from(part, 'utf8') : part;
}
