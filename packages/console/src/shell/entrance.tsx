import type { ReactNode } from 'react';

/** A page without the frame of a project: signing in, and what links in mails open. */
export function Entrance({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <title>{`${title} · Tollgate`}</title>
      <div className="flex w-full max-w-sm flex-col gap-5">
        <header className="flex items-center gap-3">
          <img src="/console/icon.svg" alt="" className="size-9" />
          <h1 className="text-lg font-semibold">{title}</h1>
        </header>
        {children}
      </div>
    </main>
  );
}
