import type { IncomingMessage } from 'node:http';
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy';
import { storableText } from '@tollgate/api/values';
import { AppError, asAppError } from '@tollgate/errors';

/** A form whose file has been passed on. */
export interface ReceivedForm {
  fields: Record<string, string>;
  filename: string;
  /** Parts into which the file was cut. */
  parts: number;
}

export interface FileLimits {
  /** Field of the form. */
  field: string;
  fileBytes: number;
  partBytes: number;
}

const FIELDS_MAX = 16;
const FIELD_BYTES_MAX = 1_024;
const HEADER_PAIRS_MAX = 16;
const HEADER_BYTES_MAX = 4 * 1_024;
const FILENAME_CHARS_MAX = 255;
const filenameSchema = storableText(FILENAME_CHARS_MAX);
/** The rest of a form around its file. */
const FORM_BYTES_MAX = 64 * 1_024;

/**
 * Reads a form with one file and passes the file on in parts, of which one is in memory. The client sends no faster than `store`
 * takes the parts. The text fields may follow the file.
 *
 * @throws AppError INVALID_INPUT, PAYLOAD_TOO_LARGE, and what `store` throws
 */
export function receiveFile(
  req: IncomingMessage,
  limits: FileLimits,
  store: (part: number, body: Buffer) => Promise<void>,
): Promise<ReceivedForm> {
  const { fileBytes } = limits;
  const encoding = req.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw invalid(`content encoding ${encoding} is not supported`);
  }
  if (Number(req.headers['content-length'] ?? 0) > fileBytes + FORM_BYTES_MAX) throw tooLarge(fileBytes);
  return new FileReceiver(req, limits, store).receive();
}

class FileReceiver {
  readonly #req: IncomingMessage;
  readonly #limits: FileLimits;
  readonly #store: (part: number, body: Buffer) => Promise<void>;
  readonly #fields: Record<string, string> = {};
  readonly #busboy: BusboyInstance;
  #filename: string | undefined;
  #parts = 0;
  #stored: Promise<void> = Promise.resolve();

  constructor(req: IncomingMessage, limits: FileLimits, store: (part: number, body: Buffer) => Promise<void>) {
    this.#req = req;
    this.#limits = limits;
    this.#store = store;
    this.#busboy = open(req, limits.fileBytes);
  }

  receive(): Promise<ReceivedForm> {
    return new Promise((resolve, reject) => {
      const busboy = this.#busboy;
      const refuse = (error: unknown): void => {
        this.#req.unpipe(busboy);
        reject(error);
      };
      const leave = (): void => {
        if (!this.#req.readableEnded) refuse(invalid('the request body ended early'));
      };
      busboy.on('field', (name, value, _nameTruncated, isTruncated) => {
        if (isTruncated) refuse(invalid(`the form field ${name} is longer than ${FIELD_BYTES_MAX} bytes`));
        this.#fields[name] = value;
      });
      busboy.on('file', (name, stream, filename) => {
        const { field } = this.#limits;
        if (name !== field) refuse(invalid(`the file must be the form field ${field}`));
        const named = filenameSchema.safeParse([...(filename ?? 'file')].slice(0, FILENAME_CHARS_MAX).join(''));
        if (!named.success) {
          stream.resume();
          return refuse(invalidField(field, `the filename ${named.error.issues[0]?.message}`));
        }
        this.#filename = named.data;
        this.#stored = this.#pass(stream);
        this.#stored.catch(refuse);
      });
      busboy.on('filesLimit', () => refuse(invalid('the form carries more than one file')));
      busboy.on('fieldsLimit', () => refuse(invalid(`the form has more than ${FIELDS_MAX} fields`)));
      busboy.on('error', () => refuse(invalid('the form is malformed')));
      busboy.on('finish', () => void this.#stored.then(() => resolve(this.#form()), reject).catch(reject));
      this.#req.on('error', leave);
      this.#req.on('close', leave);
      if (this.#req.destroyed) leave();
      this.#req.pipe(busboy);
    });
  }

  /** @throws AppError VALIDATION_ERROR without a file */
  #form(): ReceivedForm {
    if (this.#filename === undefined || this.#parts === 0) throw invalidField(this.#limits.field, 'is required');
    return { fields: this.#fields, filename: this.#filename, parts: this.#parts };
  }

  async #pass(stream: BusboyFileStream): Promise<void> {
    const { fileBytes, partBytes } = this.#limits;
    let taken: Buffer[] = [];
    let bytes = 0;
    try {
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        for (let rest = chunk; rest.length > 0; ) {
          const piece = rest.subarray(0, partBytes - bytes);
          rest = rest.subarray(piece.length);
          taken.push(piece);
          bytes += piece.length;
          if (bytes < partBytes) continue;
          await this.#store(this.#parts++, Buffer.concat(taken, bytes));
          [taken, bytes] = [[], 0];
        }
      }
    } catch (error) {
      throw asAppError(error);
    }
    if (stream.truncated) throw tooLarge(fileBytes);
    if (bytes > 0) await this.#store(this.#parts++, Buffer.concat(taken, bytes));
  }
}

function open({ headers }: IncomingMessage, fileSize: number): BusboyInstance {
  const contentType = headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(contentType)) throw invalid('the request body must be multipart/form-data');
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        files: 1,
        fileSize,
        fields: FIELDS_MAX,
        fieldSize: FIELD_BYTES_MAX,
        parts: FIELDS_MAX + 1,
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

function invalidField(field: string, message: string): AppError {
  return new AppError('VALIDATION_ERROR', `${field}: ${message}`, { fields: [{ field, message }] });
}

function tooLarge(bytes: number): AppError {
  return new AppError('PAYLOAD_TOO_LARGE', `the file is larger than ${bytes} bytes`);
}
