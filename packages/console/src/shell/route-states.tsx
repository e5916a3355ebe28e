import { Link } from '@tanstack/react-router';
import { buttonClasses } from '../parts/button.js';
import { Empty, Failure } from '../parts/states.js';

export function LostPage() {
  return (
    <main className="py-16">
      <Empty title="There is no such page" hint="The address may be wrong, or the project was deleted.">
        <p>
          <Link to="/" className={buttonClasses('primary')}>
            Go to the overview
          </Link>
        </p>
      </Empty>
    </main>
  );
}

export function RouteFailure({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <main className="mx-auto max-w-xl p-8">
      <Failure error={error} onRetry={reset} />
    </main>
  );
}
