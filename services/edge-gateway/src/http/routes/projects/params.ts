import { AppError } from '@tollgate/errors';
import { z } from 'zod';

/** Text that is not a UUID gets the same 404 as a foreign project. */
export const projectParams = z.object({ id: z.string() });

const uuid = z.guid().toLowerCase();

/** @throws AppError NOT_FOUND */
export function requireProjectId(params: z.output<typeof projectParams>): string {
  const id = uuid.safeParse(params.id);
  if (!id.success) throw new AppError('NOT_FOUND', 'project not found');
  return id.data;
}
