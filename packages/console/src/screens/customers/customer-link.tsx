import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { customerNameQuery } from '../../api/names.js';
import { useProjectId } from '../../shell/use-list-search.js';

/** A customer by its external id; by the first characters of its own id while that is read, or after it was deleted. */
export function CustomerLink({ id, search }: { id: string | undefined; search?: { tab: string } }) {
  if (id === undefined) return <>–</>;
  return <NamedLink id={id} {...(search && { search })} />;
}

function NamedLink({ id, search }: { id: string; search?: { tab: string } }) {
  const projectId = useProjectId();
  return (
    <Link
      to="/p/$projectId/customers/$customerId"
      params={{ projectId, customerId: id }}
      {...(search && { search })}
      title={id}
      className="hover:underline"
    >
      <CustomerName id={id} />
    </Link>
  );
}

export function CustomerName({ id }: { id: string }) {
  const { data: name } = useQuery(customerNameQuery(useProjectId(), id));
  return name ? <span className="break-all">{name}</span> : <code className="font-mono text-xs">{id.slice(0, 8)}</code>;
}
