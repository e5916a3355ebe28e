import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { AppError } from '@tollgate/errors';

/** A form with its files. */
export interface Form {
  /** Text fields in the client's order. */
  fields: readonly (readonly [name: string, value: string])[];
  /** The first file; most forms have no other. */
  file: FormFile | undefined;
  /** All files in the client's order. */
  files: readonly FormFile[];
}

export interface FormFile {
  /** Name of the form's field. */
  name: string;
  filename: string;
  mimeType: string;
  bytes: Buffer;
}

/** The vendors' limit for a recording. */
export const FORM_FILE_BYTES_MAX = 25 * 1024 * 1024;
const FIELDS_MAX = 64;
const FIELD_BYTES_MAX = 64 * 1024;
const HEADER_PAIRS_MAX = 16;
const HEADER_BYTES_MAX = 4 * 1024;

/** @throws AppError INVALID_INPUT for a body that is not complete multipart/form-data; PAYLOAD_TOO_LARGE */
export async function readForm(headers: IncomingHttpHeaders, body: Buffer, filesMax = 1): Promise<Form> {
  const contentType = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(contentType)) throw invalid('the request body must be multipart/form-data');
  const reading = new FormReading(contentType, filesMax);
  return reading.read(body);
}

/** Returns a value that is equal for equal forms: client libraries choose a new boundary for every attempt. */
export function comparableForm({ fields, files }: Form): unknown {
  const [file, ...more] = files.map(({ name, filename, bytes }) => {
    return { name, filename, sha256: createHash('sha256').update(bytes).digest('hex') };
  });
  return { fields, file, ...(more.length > 0 && { more }) };
}

class FormReading {
  readonly #busboy: BusboyInstance;
  readonly #fields: [string, string][] = [];
  readonly #files: FormFile[] = [];
  #error: AppError | undefined;

  constructor(contentType: string, filesMax: number) {
    this.#busboy = open(contentType, filesMax);
    this.#busboy.on('field', (name, value, _nameTruncated, valueTruncated) => {
      if (valueTruncated) this.#fail(invalid(`the form field ${name} is longer than ${FIELD_BYTES_MAX} bytes`));
      this.#fields.push([name, value]);
    });
    this.#busboy.on('file', (name, stream, filename, _encoding, mimeType) => {
      this.#takeFile(stream, { name, filename: filename ?? 'file', mimeType });
    });
    const most = filesMax === 1 ? 'one file' : `${filesMax} files`;
    this.#busboy.on('filesLimit', () => this.#fail(invalid(`the form carries more than ${most}`)));
    this.#busboy.on('fieldsLimit', () => this.#fail(invalid(`the form has more than ${FIELDS_MAX} fields`)));
    this.#busboy.on('partsLimit', () => this.#fail(invalid(`the form has more than ${FIELDS_MAX} parts`)));
  }

  read(body: Buffer): Promise<Form> {
    return new Promise((resolve, reject) => {
      this.#busboy.on('error', () => reject(this.#error ?? invalid('the form is malformed')));
      this.#busboy.on('finish', () => {
        if (this.#error) reject(this.#error);
        else resolve({ fields: this.#fields, file: this.#files[0], files: this.#files });
      });
      this.#busboy.end(body);
    });
  }

  #takeFile(stream: BusboyFileStream, file: Omit<FormFile, 'bytes'>): void {
    const chunks: Buffer[] = [];
    const taken: FormFile = { ...file, bytes: Buffer.alloc(0) };
    this.#files.push(taken);
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    stream.on('limit', () => this.#fail(tooLarge()));
    stream.on('error', () => this.#fail(invalid('the form ended in the middle of its file')));
    stream.on('end', () => {
      taken.bytes = Buffer.concat(chunks);
    });
  }

  /** Keeps the first error. */
  #fail(error: AppError): void {
    this.#error ??= error;
  }
}

function open(contentType: string, files: number): BusboyInstance {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        files,
        fileSize: FORM_FILE_BYTES_MAX,
        fields: FIELDS_MAX,
        fieldSize: FIELD_BYTES_MAX,
        parts: FIELDS_MAX + files,
        headerPairs: HEADER_PAIRS_MAX,
        headerSize: HEADER_BYTES_MAX,
      },
    });
  } catch {
    throw invalid('the form has no boundary');
  }
}

function invalid(message: string): AppError {
  return new AppError('INVALID_INPUT', message);
}

function tooLarge(): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `the file is larger than ${FORM_FILE_BYTES_MAX} bytes`);
}
