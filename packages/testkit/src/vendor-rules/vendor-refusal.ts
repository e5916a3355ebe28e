/** Parsed JSON of unknown form. */
export type Json = Record<string, unknown>;

/** A vendor's refusal of a request: its message, and the members that OpenAI's error form adds. */
export class VendorRefusal extends Error {
  override readonly name = 'VendorRefusal';
  readonly param: string | null;
  readonly code: string | null;

  constructor(message: string, { param = null, code = null }: { param?: string | null; code?: string | null } = {}) {
    super(message);
    this.param = param;
    this.code = code;
  }
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the objects of a list; none if it is not a list. */
export function listObjects(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** Whether a member is set to something. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Returns the media type of an image by its first bytes; undefined if they are not an image. */
export function readImageType(base64: string): string | undefined {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.subarray(0, 4).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47]))) return 'image/png';
  if (bytes.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))) return 'image/jpeg';
  if (bytes.toString('latin1', 0, 4) === 'GIF8') return 'image/gif';
  return bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'
    ? 'image/webp'
    : undefined;
}
