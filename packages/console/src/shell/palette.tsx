import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { useState } from 'react';
import { get } from '../api/client.js';
import { projectsQuery } from '../api/queries.js';
import { useModal } from '../parts/dialog.js';
import { findByText } from './search/find-by-text.js';
import { useProjectId } from './use-list-search.js';
import { usePlaces } from './use-places.js';

/** Opens a page, a project, a customer, or what has the name or id that is typed. */
export function Palette({ onClose }: { onClose: () => void }) {
  const ref = useModal({ onClickOutside: onClose });
  const [text, setText] = useState('');
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { data } = useQuery(projectsQuery);
  const placesOfRole = usePlaces();
  const open = (path: string) => {
    onClose();
    void navigate({ to: path as string });
  };
  return (
    <dialog
      ref={ref}
      onClose={onClose}
      aria-label="Search"
      className="mx-auto mt-[12dvh] w-[calc(100%-2rem)] max-w-lg overflow-hidden rounded-xl border bg-surface shadow-xl"
    >
      <Command label="Search" shouldFilter={false}>
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder="Page, project, customer, or an id"
          className="h-12 w-full border-b bg-transparent px-4 outline-none placeholder:text-soft"
        />
        <Command.List className="max-h-80 overflow-y-auto p-1.5">
          <Command.Empty className="px-3 py-6 text-center text-soft">Nothing has this name or id.</Command.Empty>
          <FoundByText text={text.trim()} projectId={projectId} onOpen={open} />
          <Command.Group heading="Pages" className={GROUP}>
            {placesOfRole
              .flatMap(({ places }) => places.filter(({ label }) => matches(label, text)))
              .map(({ label, path, icon: Icon }) => (
                <Command.Item key={path} className={ITEM} onSelect={() => open(`/p/${projectId}/${path}`)}>
                  <Icon className="size-4 text-soft" aria-hidden /> {label}
                </Command.Item>
              ))}
          </Command.Group>
          <Command.Group heading="Projects" className={GROUP}>
            {data?.projects
              .filter(({ name }) => matches(name, text))
              .map(({ id, name }) => (
                <Command.Item
                  key={id}
                  value={`project ${name} ${id}`}
                  className={ITEM}
                  onSelect={() => open(`/p/${id}/overview`)}
                >
                  {name}
                </Command.Item>
              ))}
          </Command.Group>
        </Command.List>
      </Command>
    </dialog>
  );
}

function matches(name: string, text: string): boolean {
  return name.toLowerCase().includes(text.trim().toLowerCase());
}

const GROUP =
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-soft';
const ITEM = 'flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2 data-[selected=true]:bg-raised';

interface FoundByTextProps {
  text: string;
  projectId: string;
  onOpen: (path: string) => void;
}

function FoundByText({ text, projectId, onOpen }: FoundByTextProps) {
  const { data: found = [] } = useQuery({
    queryKey: ['found', projectId, text],
    enabled: text.length > 1,
    retry: false,
    queryFn: ({ signal }) => findByText(get, projectId, text, signal),
  });
  return found.map(({ kind, title, path }) => (
    <Command.Item
      key={`${kind} ${path} ${title}`}
      value={`${text} ${kind} ${path} ${title}`}
      className={ITEM}
      onSelect={() => onOpen(`/p/${projectId}/${path}`)}
    >
      {kind} <span className="truncate text-soft">{title}</span>
    </Command.Item>
  ));
}
