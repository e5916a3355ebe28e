import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Command } from 'cmdk';
import { useEffect, useRef, useState } from 'react';
import { get } from '../api/client.js';
import { projectsQuery } from '../api/queries.js';
import type { CustomerEnvelope } from '../api/types.js';
import { useProjectId } from './use-list-search.js';
import { usePlaces } from './use-places.js';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Opens a page, a project, a customer, or what has the id that is typed. */
export function Palette({ onClose }: { onClose: () => void }) {
  const ref = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState('');
  const projectId = useProjectId();
  const navigate = useNavigate();
  const { data } = useQuery(projectsQuery);
  const placesOfRole = usePlaces();
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
      <Command label="Search" shouldFilter={false}>
        <Command.Input
          value={text}
          onValueChange={setText}
          placeholder="Page, project, customer, or an id"
          className="h-12 w-full border-b bg-transparent px-4 outline-none placeholder:text-soft"
        />
        <Command.List className="max-h-80 overflow-y-auto p-1.5">
          <Command.Empty className="px-3 py-6 text-center text-soft">Nothing has this name or id.</Command.Empty>
          <FoundById text={text.trim()} projectId={projectId} onOpen={open} />
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

/** What an id may name, by the path of its page. */
const KINDS = { requests: 'Request', runs: 'Run', messages: 'Message' } as const;

interface FoundByIdProps {
  text: string;
  projectId: string;
  onOpen: (path: string) => void;
}

/** Customers whose email or external id begins with the text. An id alone does not say whether it is a customer's or a run's. */
function FoundById({ text, projectId, onOpen }: FoundByIdProps) {
  const isUuid = UUID.test(text);
  const { data: found = [] } = useQuery({
    queryKey: ['found', projectId, text],
    enabled: text.length > 1,
    retry: false,
    queryFn: ({ signal }) => findCustomers(projectId, text, isUuid, signal),
  });
  if (text === '') return null;
  return (
    <>
      {found.map(({ customer }) => (
        <Command.Item
          key={customer.id}
          value={`${text} ${customer.id}`}
          className={ITEM}
          onSelect={() => onOpen(`/p/${projectId}/customers/${customer.id}`)}
        >
          Customer {customer.external_id} <span className="text-soft">{customer.email}</span>
        </Command.Item>
      ))}
      {isUuid &&
        (Object.keys(KINDS) as (keyof typeof KINDS)[]).map((kind) => (
          <Command.Item
            key={kind}
            value={`${text} ${kind}`}
            className={ITEM}
            onSelect={() => onOpen(`/p/${projectId}/${kind}/${text}`)}
          >
            {KINDS[kind]} <code className="font-mono text-xs">{text}</code>
          </Command.Item>
        ))}
    </>
  );
}

const FOUND_MAX = 5;

async function findCustomers(
  projectId: string,
  text: string,
  isUuid: boolean,
  signal: AbortSignal,
): Promise<CustomerEnvelope[]> {
  const path = `/projects/${projectId}/customers`;
  if (isUuid)
    return get<CustomerEnvelope>(`${path}/${text}`, {}, signal).then(
      (found) => [found],
      () => [],
    );
  const query = { q: text, sort: '-created_at', limit: FOUND_MAX };
  return (await get<{ customers: CustomerEnvelope[] }>(path, query, signal)).customers;
}
