-- name: find_projects_of_day :many
-- Finds the projects with requests on a day: one step through the index for each.
WITH RECURSIVE p AS (
  (SELECT r.project_id AS id FROM requests r WHERE r.at >= :day AND r.at < :day::timestamptz + interval '1 day'
   ORDER BY r.project_id LIMIT 1)
  UNION ALL
  SELECT (SELECT r.project_id FROM requests r
          WHERE r.at >= :day AND r.at < :day::timestamptz + interval '1 day' AND r.project_id > p.id
          ORDER BY r.project_id LIMIT 1)
  FROM p WHERE p.id IS NOT NULL
)
SELECT id AS "id!" FROM p WHERE id IS NOT NULL
