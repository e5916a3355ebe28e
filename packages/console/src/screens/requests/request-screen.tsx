import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { get } from '../../api/client.js';
import type { RequestRow } from '../../api/types.js';
import { formatMoney } from '../../format/money.js';
import { formatCount } from '../../format/numbers.js';
import { formatDuration, formatMoment } from '../../format/times.js';
import { Status } from '../../parts/badge.js';
import { Card, Facts, Stat } from '../../parts/card.js';
import { Id } from '../../parts/copy.js';
import { Page } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';

export function RequestScreen() {
  const projectId = useProjectId();
  const { requestId } = useParams({ from: '/p/$projectId/requests/$requestId' });
  const query = useQuery({
    queryKey: ['request', projectId, requestId],
    queryFn: ({ signal }) => get<{ request: RequestRow }>(`/projects/${projectId}/requests/${requestId}`, {}, signal),
  });
  const trail = (
    <Link to="/p/$projectId/requests" params={{ projectId }} className="hover:underline">
      Requests
    </Link>
  );
  const row = query.data?.request;
  return (
    <Page title={row ? `Request of ${formatMoment(row.at)}` : 'Request'} trail={trail}>
      <Loaded query={query}>
        {({ request }) => (
          <>
            <Figures row={request} />
            <div className="grid items-start gap-5 lg:grid-cols-2">
              <Card title="Outcome">
                <Facts rows={toOutcome(request)} />
              </Card>
              <Card title="Who">
                <Facts rows={toAsker(request, projectId)} />
              </Card>
              <Card title="Money">
                <Facts rows={toMoney(request)} />
              </Card>
              <Card title="Tokens">
                <Facts rows={toTokens(request)} />
              </Card>
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Figures({ row }: { row: RequestRow }) {
  return (
    <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
      <Stat label="Outcome" value={<Status value={row.status} />} note={row.error_code} />
      <Stat
        label="Charged"
        value={formatMoney(row.revenue_microcents)}
        note={`cost ${formatMoney(row.cost_microcents)}`}
      />
      <Stat
        label="Took"
        value={toTime(row.duration_ms)}
        note={row.streaming ? `${toTime(row.first_output_ms)} to the first output` : 'not streamed'}
      />
      <Stat
        label="Tokens"
        value={formatCount(row.input_tokens + row.output_tokens)}
        note={row.estimated ? 'estimated' : undefined}
      />
    </div>
  );
}

type Rows = (readonly [string, ReactNode])[];

function toTime(ms: number | undefined): string {
  return ms === undefined ? '–' : formatDuration(ms);
}

function toOutcome(row: RequestRow): Rows {
  return [
    ['Model', row.model ?? '–'],
    ['Provider', row.cached ? 'none: answered from the cache' : (row.provider ?? '–')],
    ['HTTP status', row.http_status ?? '–'],
    ['Error', row.error_code ?? 'none'],
    ['Ended because', row.stop_reason ?? '–'],
    ['Request id', <Id key="request" value={row.request_id} />],
    ...(row.id === row.request_id ? [] : [['Id', <Id key="id" value={row.id} />] as const]),
  ];
}

function toAsker(row: RequestRow, projectId: string): Rows {
  const { customer_id: customerId } = row;
  const customer = customerId && (
    <Link
      to="/p/$projectId/customers/$customerId"
      params={{ projectId, customerId }}
      className="font-mono text-xs text-accent hover:underline"
    >
      {customerId}
    </Link>
  );
  return [
    ['Customer', customer ?? 'none: the account itself'],
    ['Tier', row.tier_code ?? '–'],
    [
      'Key',
      row.key_id === undefined ? (
        "none: a customer's token, an owner's session or a run"
      ) : (
        <Id key="key" value={row.key_id} />
      ),
    ],
  ];
}

function toMoney(row: RequestRow): Rows {
  return [
    ['Charged to the customer', formatMoney(row.revenue_microcents)],
    ['Cost of the provider', formatMoney(row.cost_microcents)],
    ['Margin', formatMoney(row.revenue_microcents - row.cost_microcents)],
    ['Overrun', formatMoney(row.overrun_microcents)],
    ['Unreconciled, at most', formatMoney(row.unreconciled_microcents)],
  ];
}

function toTokens(row: RequestRow): Rows {
  return [
    ['Input', formatCount(row.input_tokens)],
    ['Output', formatCount(row.output_tokens)],
    ['Read from a cache', formatCount(row.cache_read_input_tokens)],
    ['Written to a cache', formatCount(row.cache_write_input_tokens)],
    ['Reasoning', formatCount(row.reasoning_tokens)],
    ['Images', formatCount(row.images)],
  ];
}
