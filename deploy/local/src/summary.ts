import type { LocalFile } from './local-stack.js';

/** Returns the text that is shown after the start. `home` is the path of the local data from the current folder. */
export function summary(file: LocalFile, home: string, isSeparate: boolean): string {
  const { base_url: base } = file;
  const rows = [
    ['Console', `${new URL('/console', base)} (one click signs the local owner in)`],
    ['Mails', `${new URL('/mailbox', base)} (none is sent)`],
    ['API', base],
    ['OpenAPI', `${base}/openapi.json`],
    ['Project', file.project_id],
    ['Secret key', file.secret_key],
    ['Publishable key', file.publishable_key],
    ['Customer', `${file.customer_id} (tier paygo, funded wallet)`],
    ['Owner', `${file.owner.email} / ${file.owner.password}`],
    ['Metrics', describeMetrics(file)],
    ['PostgreSQL', file.postgres_url],
    ['Payments', file.payments_url ? `${file.payments_url} (a simulation: no money moves)` : 'Stripe'],
    [
      'Services',
      isSeparate
        ? Object.entries(file.services)
            .map(([name, place]) => `${name} ${place.grpc}`)
            .join(', ')
        : 'all in this process',
    ],
  ];
  const width = Math.max(...rows.map(([name]) => name?.length ?? 0));
  return [
    '',
    'Tollgate is running.',
    '',
    ...rows.map(([name, value]) => `  ${(name ?? '').padEnd(width)}  ${value}`),
    '',
    "Try it (the token is the demo customer's):",
    '',
    `curl -s ${base}/responses \\`,
    `  -H 'Authorization: Bearer ${file.customer_token}' -H 'Content-Type: application/json' \\`,
    `  -d '{"model":"sandbox/echo-1","input":[{"type":"message","role":"user","content":[{"type":"text","text":"Hello"}]}]}'`,
    '',
    'POST /customers/me/topup fills a wallet, POST /customers/me/checkout buys the pro tier: open the `url` of the answer',
    'in a browser (README, "Payments").',
    '',
    `These values are also in ${home}/tollgate.json, logs in ${home}/logs. Ctrl-C stops.`,
    '',
  ].join('\n');
}

/** The pages that Prometheus scrapes: one, or one per service. */
function describeMetrics({ services }: LocalFile): string {
  const pages = new Set(Object.values(services).map(({ health }) => `${health}/metrics`));
  return [...pages].join(', ');
}
