import { timestampDate } from '@bufbuild/protobuf/wkt';
import type { StoredImageRecord } from '@tollgate/api/model-requests';
import type { StoredImage } from '@tollgate/contracts/inference/v1/images_pb.js';
import { invariant } from '@tollgate/errors';

/** Grants read access to the file until it expires. */
export function imageUrl(baseUrl: string, { id, fileToken }: Pick<StoredImage, 'id' | 'fileToken'>): string {
  return `${baseUrl}/api/v1/images/${id}/file?token=${fileToken}`;
}

export function storedImageJson(baseUrl: string, image: StoredImage | undefined): StoredImageRecord {
  invariant(image, 'inference answered without the image');
  const { id, pinned, expiresAt } = image;
  const url = imageUrl(baseUrl, image);
  return { id, pinned, url, ...(expiresAt && { expires_at: timestampDate(expiresAt).toISOString() }) };
}
