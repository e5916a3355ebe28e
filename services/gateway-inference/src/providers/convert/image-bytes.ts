import { readImageType } from '../../domain/image-type.js';
import type { GeneratedImage } from '../contract/image-provider.js';

/** Decodes a vendor's base64 image. Returns undefined if the bytes are not an image. */
export function toImage(base64: unknown): GeneratedImage | undefined {
  if (typeof base64 !== 'string') return undefined;
  const bytes = Buffer.from(base64, 'base64');
  const mimeType = readImageType(bytes);
  return mimeType === undefined ? undefined : { bytes, mimeType };
}
