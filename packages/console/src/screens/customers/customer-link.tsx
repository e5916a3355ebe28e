import { Link } from '@tanstack/react-router';
import { useProjectId } from '../../shell/use-list-search.js';

/** A customer by the first characters of its id. */
export function CustomerLink({ id }: { id: string | undefined }) {
  const projectId = useProjectId();
  if (id === undefined) return <>–</>;
  return (
    <Link
      to="/p/$projectId/customers/$customerId"
      params={{ projectId, customerId: id }}
      className="font-mono text-xs hover:underline"
    >
      {id.slice(0, 8)}
    </Link>
  );
}
