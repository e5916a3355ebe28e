import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronsUpDown } from 'lucide-react';
import { useEffect } from 'react';
import { projectsQuery } from '../api/queries.js';
import { Menu } from '../parts/menu.js';
import { keepChosenProject } from './chosen-project.js';
import { useProjectId } from './use-list-search.js';

/** Shows the project and changes to another one. */
export function ProjectMenu() {
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { data } = useQuery(projectsQuery);
  useEffect(() => keepChosenProject(projectId), [projectId]);
  const projects = data?.projects ?? [];
  const open = (id: string) => void navigate({ to: '/p/$projectId/overview', params: { projectId: id } });
  const trigger = (
    <button
      type="button"
      className="flex h-9 w-full min-w-0 items-center justify-between gap-2 rounded-md border bg-surface px-2.5 font-medium hover:bg-raised"
    >
      <span className="truncate">{projects.find(({ id }) => id === projectId)?.name ?? 'Project'}</span>
      <ChevronsUpDown className="size-3.5 shrink-0 text-soft" aria-hidden />
    </button>
  );
  return <Menu trigger={trigger} items={projects.map(({ id, name }) => ({ label: name, onPick: () => open(id) }))} />;
}
