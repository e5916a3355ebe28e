// Generated from images.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';
import { binaryArray, textArray, uuidArray } from '@tollgate/postgres/columns';

/** A row of `images`. */
export interface InsertImageRowsImagesRow {
  id: string;
  projectId: string;
  customerId: string | null | undefined;
  modelId: string;
  mimeType: string;
  fileToken: string;
  createdAt: Date;
  expiresAt: Date | null | undefined;
}

export interface InsertImageRowsInput {
  images: readonly InsertImageRowsImagesRow[];
}

const INSERT_IMAGE_ROWS = `
  INSERT INTO images (id, project_id, customer_id, model_id, mime_type, file_token, created_at, expires_at)
  SELECT * FROM (SELECT ($7::uuid[])[nth.i][1] AS id, ($7::uuid[])[nth.i][2] AS project_id, nth.customer_id, nth.model_id, nth.mime_type, nth.file_token, nth.created_at, nth.expires_at FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[], $6::timestamptz[]) WITH ORDINALITY AS nth (customer_id, model_id, mime_type, file_token, created_at, expires_at, i)) AS i`;

export async function insertImageRows(db: Queryable, input: InsertImageRowsInput): Promise<void> {
  await db.query({
    name: 'insert_image_rows',
    text: INSERT_IMAGE_ROWS,
    values: [
      binaryArray('uuid', input.images.map((r) => r.customerId)),
      textArray(input.images.map((r) => r.modelId)),
      textArray(input.images.map((r) => r.mimeType)),
      textArray(input.images.map((r) => r.fileToken)),
      binaryArray('timestamptz', input.images.map((r) => r.createdAt)),
      binaryArray('timestamptz', input.images.map((r) => r.expiresAt)),
      uuidArray(input.images, [(r) => r.id, (r) => r.projectId]),
    ],
  });
}
