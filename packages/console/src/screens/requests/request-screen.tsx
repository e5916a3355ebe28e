import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { get } from '../../api/client.js';
import type { RequestDetail } from '../../api/types.js';
import { formatMoney } from '../../format/money.js';
import { formatCount } from '../../format/numbers.js';
import { formatDuration, formatMoment } from '../../format/times.js';
import { Status } from '../../parts/badge.js';
import { Card, Facts, Stat } from '../../parts/card.js';
import { Id } from '../../parts/copy.js';
import { Page } from '../../parts/page.js';
import { Loaded } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { CustomerLink } from '../customers/customer-link.js';
import { KeyName } from '../keys/key-name.js';
import { RequestHold } from './request-hold.js';
import { RequestLimits } from './request-limits.js';
import { RequestPrices } from './request-prices.js';
import { RequestRoutes } from './request-routes.js';
import { RequestTimes } from './request-times.js';

export function RequestScreen() {
  const projectId = useProjectId();
  const { requestId } = useParams({ from: '/p/$projectId/requests/$requestId' });
  const query = useQuery({
    queryKey: ['request', projectId, requestId],
    queryFn: ({ signal }) =>
      get<{ request: RequestDetail }>(`/projects/${projectId}/requests/${requestId}`, {}, signal),
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
                <Facts rows={toAsker(request)} />
              </Card>
            </div>
            <RequestLimits request={request} />
            {request.status !== 'refused' && <RequestPrices request={request} />}
            <RequestRoutes request={request} />
            <div className="grid items-start gap-5 lg:grid-cols-2">
              <RequestTimes request={request} />
              <RequestHold request={request} />
            </div>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Figures({ row }: { row: RequestDetail }) {
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

function toOutcome(row: RequestDetail): Rows {
  return [
    ['Model', row.model ?? '–'],
    ['Provider', row.cached ? 'none: answered from the cache' : (row.provider ?? '–')],
    ['HTTP status', row.http_status ?? '–'],
    ['Error', row.error_code ?? 'none'],
    ['Ended because', row.stop_reason ?? '–'],
    ['Request id', <Id key="request" value={row.request_id} />],
    ...(row.trace_id === undefined ? [] : [['Trace id', <Id key="trace" value={row.trace_id} />] as const]),
    ...(row.id === row.request_id ? [] : [['Id', <Id key="id" value={row.id} />] as const]),
  ];
}

function toAsker(row: RequestDetail): Rows {
  const { customer_id: customerId } = row;
  return [
    ['Customer', customerId ? <CustomerLink key="customer" id={customerId} /> : 'none: the account itself'],
    ['Tier', row.tier_code ?? '–'],
    [
      'Key',
      row.key_id === undefined ? (
        "none: a customer's token, an owner's session or a run"
      ) : (
        <KeyName key="key" id={row.key_id} />
      ),
    ],
  ];
}
