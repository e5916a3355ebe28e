export interface Page {
  limit: number;
  offset: number;
}

/** Reads one row more than the page holds to learn whether there is a next page. */
export async function readPage<T>(
  { limit, offset }: Page,
  read: (page: { take: number; skip: number }) => Promise<T[]>,
): Promise<{ rows: T[]; hasMore: boolean }> {
  const rows = await read({ take: limit + 1, skip: offset });
  return { rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
