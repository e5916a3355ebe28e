import { useQuery } from '@tanstack/react-query';
import { meQuery, projectsQuery } from '../api/queries.js';
import { PLACES } from './places.js';
import { usePermissions } from './role.js';
import { useProjectId } from './use-list-search.js';

/** The pages that the user's role may open in the project. */
export function usePlaces(): typeof PLACES {
  const may = usePermissions();
  const isOwnAccount = useIsOwnAccount();
  return PLACES.map(({ title, places }) => ({
    title,
    places: places.filter(({ needs, isOfAccount = false }) => may(needs) && (isOwnAccount !== false || !isOfAccount)),
  }));
}

/** Whether the project that is shown belongs to the user's own account; undefined until that is known. */
export function useIsOwnAccount(): boolean | undefined {
  const projectId = useProjectId();
  const { data: me } = useQuery(meQuery);
  const { data } = useQuery(projectsQuery);
  const project = data?.projects.find(({ id }) => id === projectId);
  if (!me || !project) return undefined;
  return project.owner_id === me.user.id;
}
