import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { useEffect, useRef, useState } from 'react';
import { get } from '../api/client.js';
import { projectsQuery } from '../api/queries.js';
import type { CustomerEnvelope } from '../api/types.js';
import { PLACES } from './places.js';
import { useProjectId } from './use-list-search.js';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Opens a page, a project, or whatever has the id that is typed. */
export function Palette({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { data } = useQuery(projectsQuery);
  useEffect(() => ref.current?.showModal(), []);
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
      <Command label="Search">
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder="Page, project, or an id of a customer, run or agent"
          className="h-12 w-full border-b bg-transparent px-4 outline-none placeholder:text-soft"
        />
        <Command.List className="max-h-80 overflow-y-auto p-1.5">
          <Command.Empty className="px-3 py-6 text-center text-soft">Nothing has this name or id.</Command.Empty>
          <FoundById text={text.trim()} projectId={projectId} onOpen={open} />
          <Command.Group heading="Pages" className={GROUP}>
            {PLACES.flatMap(({ places }) => places).map(({ label, path, icon: Icon }) => (
              <Command.Item key={path} className={ITEM} onSelect={() => open(`/p/${projectId}/${path}`)}>
                <Icon className="size-4 text-soft" aria-hidden /> {label}
              </Command.Item>
            ))}
          </Command.Group>
          <Command.Group heading="Projects" className={GROUP}>
            {data?.projects.map(({ id, name }) => (
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

const GROUP =
  '[&_[cmdk-group-heading]]:px-2.5 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-soft';
const ITEM = 'flex cursor-pointer items-center gap-2.5 rounded-md px-2.5 py-2 data-[selected=true]:bg-raised';

interface FoundByIdProps {
  text: string;
  projectId: string;
  onOpen: (path: string) => void;
}

/** An id does not say what it is the id of: a customer of the project by this id or its owner's id, or a run. */
function FoundById({ text, projectId, onOpen }: FoundByIdProps) {
  const isUuid = UUID.test(text);
  const byId = useQuery({
    queryKey: ['found', projectId, text],
    enabled: text.length > 2,
    retry: false,
    queryFn: ({ signal }) => findCustomer(projectId, text, isUuid, signal),
  });
  if (text === '') return null;
  const found = byId.data?.customer;
  return (
    <>
      {found && (
        <Command.Item
          value={`${text} customer`}
          className={ITEM}
          onSelect={() => onOpen(`/p/${projectId}/customers/${found.id}`)}
        >
          Customer {found.external_id} <span className="text-soft">{found.email}</span>
        </Command.Item>
      )}
      {isUuid && (
        <Command.Item value={`${text} run`} className={ITEM} onSelect={() => onOpen(`/p/${projectId}/runs/${text}`)}>
          Run <code className="font-mono text-xs">{text}</code>
        </Command.Item>
      )}
    </>
  );
}

async function findCustomer(
  projectId: string,
  text: string,
  isUuid: boolean,
  signal: AbortSignal,
): Promise<CustomerEnvelope | null> {
  const place = isUuid ? text : `by-external-id/${encodeURIComponent(text)}`;
  return get<CustomerEnvelope>(`/projects/${projectId}/customers/${place}`, {}, signal).catch(() => null);
}
