import { useQuery } from '@tanstack/react-query';
import { BookOpen, LogOut, Moon, Sun } from 'lucide-react';
import { meQuery } from '../api/queries.js';
import { signOut } from '../api/session.js';
import { Button, buttonClasses } from '../parts/button.js';
import { useTheme } from './theme.js';

export function UserMenu() {
  const { data } = useQuery(meQuery);
  const [isDark, toggle] = useTheme();
  const Icon = isDark ? Sun : Moon;
  return (
    <div className="border-t px-3 py-2">
      <div className="truncate px-2 pb-1 text-soft" title={data?.user.email}>
        {data?.user.email}
      </div>
      <div className="flex items-center gap-1">
        <a href="/docs" aria-label="API reference" title="API reference" className={`${buttonClasses('quiet')} !px-2`}>
          <BookOpen className="size-4" aria-hidden />
        </a>
        <Button
          look="quiet"
          className="px-2"
          aria-label={isDark ? 'Light colors' : 'Dark colors'}
          title={isDark ? 'Light colors' : 'Dark colors'}
          onClick={toggle}
        >
          <Icon className="size-4" aria-hidden />
        </Button>
        <Button look="quiet" className="px-2" aria-label="Sign out" title="Sign out" onClick={() => void signOut()}>
          <LogOut className="size-4" aria-hidden />
        </Button>
      </div>
    </div>
  );
}
