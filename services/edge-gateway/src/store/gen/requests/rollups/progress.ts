// Generated from requests/rollups/progress.sql by `npm run generate`. Change that file, not this one.
import type { Queryable } from '@tollgate/postgres';

export interface FindProjectsOfDayInput {
  day: Date;
}

export interface FindProjectsOfDayRow {
  id: string;
}

const FIND_PROJECTS_OF_DAY = `
  WITH RECURSIVE p AS (
    (SELECT r.project_id AS id FROM requests r WHERE r.at >= $1 AND r.at < $1::timestamptz + interval '1 day'
     ORDER BY r.project_id LIMIT 1)
    UNION ALL
    SELECT (SELECT r.project_id FROM requests r
            WHERE r.at >= $1 AND r.at < $1::timestamptz + interval '1 day' AND r.project_id > p.id
            ORDER BY r.project_id LIMIT 1)
    FROM p WHERE p.id IS NOT NULL
  )
  SELECT id AS "id" FROM p WHERE id IS NOT NULL`;

/** Finds the projects with requests on a day: one step through the index for each. */
export async function findProjectsOfDay(db: Queryable, input: FindProjectsOfDayInput): Promise<FindProjectsOfDayRow[]> {
  const { rows } = await db.query<FindProjectsOfDayRow>({
    name: 'find_projects_of_day',
    text: FIND_PROJECTS_OF_DAY,
    values: [
      input.day,
    ],
  });
  return rows;
}
