import { useQuery } from '@tanstack/react-query';
import { keyLabelsQuery } from '../../api/names.js';
import { Id } from '../../parts/copy.js';
import { useProjectId } from '../../shell/use-list-search.js';

/** A key by its label; by its id if it has none. */
export function KeyName({ id }: { id: string }) {
  const { data: labels } = useQuery(keyLabelsQuery(useProjectId()));
  const label = labels?.get(id);
  return label ? <span title={id}>{label}</span> : <Id value={id} isShort />;
}
