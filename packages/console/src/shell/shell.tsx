import { useQuery } from '@tanstack/react-query';
import { Outlet } from '@tanstack/react-router';
import { Menu as MenuIcon, Search } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { projectsQuery } from '../api/queries.js';
import { Button } from '../parts/button.js';
import { useModal } from '../parts/dialog.js';
import { Loading } from '../parts/states.js';
import { SignInAgain } from '../screens/sign-in/sign-in-again.js';
import { ConnectionNotice } from './connection.js';
import { Navigation } from './navigation.js';
import { ProjectMenu } from './project-menu.js';
import { MembershipProvider } from './role.js';
import { LostPage } from './route-states.js';
import { useProjectId } from './use-list-search.js';
import { UserMenu } from './user-menu.js';

const loadPalette = () => import('./palette.js').then(({ Palette: component }) => ({ default: component }));
const Palette = lazy(loadPalette);

/** The frame of all pages of a project, once the user's role in it is known. */
export function Shell() {
  const projectId = useProjectId();
  const { data, error } = useQuery(projectsQuery);
  if (!data && !error) return <Loading />;
  const project = data?.projects.find(({ id }) => id === projectId);
  if (data && !project) return <LostPage />;
  const { role, permissions } = project ?? {};
  const membership = role && permissions && { role, permissions };
  return (
    <MembershipProvider membership={membership}>
      <Frame />
    </MembershipProvider>
  );
}

function Frame() {
  const [isSearching, setSearching] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  useShortcut('k', () => setSearching(true));
  // Loaded ahead: what is typed right after the shortcut must not be lost.
  useEffect(() => void loadPalette(), []);
  const search = () => setSearching(true);
  return (
    <div className="flex min-h-dvh">
      <a href="#content" className="sr-only z-50 rounded bg-surface p-2 focus:not-sr-only focus:absolute">
        Skip to the content
      </a>
      <aside className="sticky top-0 hidden h-dvh w-60 shrink-0 flex-col border-r md:flex print:hidden">
        <Sidebar onSearch={search} />
      </aside>
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="sticky top-0 z-30 flex items-center justify-between border-b bg-canvas px-2 py-1.5 md:hidden print:hidden">
          <Button look="quiet" className="px-2" aria-label="Open the menu" onClick={() => setMenuOpen(true)}>
            <MenuIcon className="size-5" aria-hidden />
          </Button>
          <span className="font-semibold">Tollgate</span>
          <Button look="quiet" className="px-2" aria-label="Search" onClick={search}>
            <Search className="size-5" aria-hidden />
          </Button>
        </header>
        <ConnectionNotice />
        <main id="content" className="min-w-0 flex-1">
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </main>
      </div>
      <SignInAgain />
      {isMenuOpen && <Drawer onClose={() => setMenuOpen(false)} onSearch={search} />}
      {isSearching && (
        <Suspense fallback={null}>
          <Palette onClose={() => setSearching(false)} />
        </Suspense>
      )}
    </div>
  );
}

function Sidebar({ onSearch, onPick }: { onSearch: () => void; onPick?: () => void }) {
  return (
    <>
      <div className="flex flex-col gap-2 px-3 pt-3 pb-2">
        <ProjectMenu />
        <Button className="justify-between font-normal text-soft" onClick={onSearch}>
          <span className="inline-flex items-center gap-2">
            <Search className="size-3.5" aria-hidden /> Search
          </span>
          <kbd className="font-sans text-xs">Ctrl K</kbd>
        </Button>
      </div>
      <div className="flex-1 overflow-y-auto">
        <Navigation {...(onPick && { onPick })} />
      </div>
      <UserMenu />
    </>
  );
}

/** The navigation on narrow screens. */
function Drawer({ onClose, onSearch }: { onClose: () => void; onSearch: () => void }) {
  const ref = useModal();
  const search = () => {
    onClose();
    onSearch();
  };
  return (
    <dialog ref={ref} onClose={onClose} aria-label="Menu" className="m-0 h-dvh max-h-dvh w-72 border-r bg-canvas">
      <div className="flex h-full flex-col">
        <Sidebar onSearch={search} onPick={onClose} />
      </div>
    </dialog>
  );
}

/** Calls the function for the key with Ctrl or ⌘. */
function useShortcut(key: string, act: () => void): void {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== key || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      latest.current();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [key]);
}
