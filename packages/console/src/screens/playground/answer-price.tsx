import { useQuery } from '@tanstack/react-query';
import { modelsQuery } from '../../api/queries.js';
import type { ResponseEvent } from '../../api/types.js';
import { formatMoney } from '../../format/money.js';

type Usage = Extract<ResponseEvent, { type: 'completion' }>['usage'];

/** The provider's cost by the catalog: cents per million tokens are microcents per token. */
export function AnswerPrice({ model, usage }: { model: string; usage: Usage }) {
  const { data } = useQuery(modelsQuery);
  const known = data?.models.find(({ model_id: id }) => id === model || id.endsWith(`/${model}`));
  const { input_cost_per_million_cents: input, output_cost_per_million_cents: output } = known ?? {};
  if (input === undefined || output === undefined) return <>unknown</>;
  return <>{formatMoney(usage.input_tokens * input + usage.output_tokens * output)} by the catalog</>;
}
