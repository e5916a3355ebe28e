import { Link } from '@tanstack/react-router';
import type { Place } from './places.js';
import { useProjectId } from './use-list-search.js';
import { usePlaces } from './use-places.js';

export function Navigation({ onPick }: { onPick?: () => void }) {
  return (
    <nav aria-label="Pages" className="flex flex-col gap-4 px-3 pt-1 pb-2">
      {usePlaces().map(({ title, places }) => (
        <div key={title}>
          <div className="px-2 pb-1 text-xs font-medium text-soft">{title}</div>
          <ul>
            {places.map((place) => (
              <li key={place.path}>
                <PlaceLink place={place} {...(onPick && { onPick })} />
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function PlaceLink({ place: { label, path, icon: Icon }, onPick }: { place: Place; onPick?: () => void }) {
  const projectId = useProjectId();
  return (
    <Link
      to={`/p/${projectId}/${path}` as string}
      {...(onPick && { onClick: onPick })}
      className="flex h-8 items-center gap-2.5 rounded-md px-2 text-soft hover:bg-raised hover:text-ink"
      activeProps={{ className: 'bg-raised font-medium !text-ink', 'aria-current': 'page' }}
    >
      <Icon className="size-4 shrink-0" aria-hidden />
      {label}
    </Link>
  );
}
