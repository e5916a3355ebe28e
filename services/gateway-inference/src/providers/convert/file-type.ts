import type { FilePart } from '@tollgate/api/model-requests';
import { readImageType } from '../../domain/image-type.js';
import type { GeneratedImage } from '../contract/image-provider.js';

/** Base64 characters that hold the first bytes of a file. */
const HEAD_CHARS = 64;

/**
 * Returns the media type of a file for a vendor, which compares it with the bytes: of an image, that of its bytes, whatever the
 * client calls it.
 */
export function toFileType({ mime_type: named, data_base64: data }: FilePart['file']): string {
  const mime = named.toLowerCase();
  if (!mime.startsWith('image/')) return mime;
  const found = readImageType(Buffer.from(data.slice(0, HEAD_CHARS), 'base64'));
  return found ?? (mime === 'image/jpg' ? 'image/jpeg' : mime);
}

/** Decodes a vendor's base64 image. Returns undefined if the bytes are not an image. */
export function toImage(base64: unknown): GeneratedImage | undefined {
  if (typeof base64 !== 'string') return undefined;
  const bytes = Buffer.from(base64, 'base64');
  const mimeType = readImageType(bytes);
  return mimeType === undefined ? undefined : { bytes, mimeType };
}
