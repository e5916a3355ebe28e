import type { RequestFilters } from '@tollgate/api/reports';
import { isUuid } from '@tollgate/runtime/uuid';
import type { ReportRange } from '../../domain/reports/report-range.js';

/** The requests that a report is about. */
export interface RequestFilter extends ReportRange {
  projectId: string;
  status?: RequestFilters['status'];
  model?: string | undefined;
  customerId?: string | undefined;
  keyId?: string | undefined;
  tierCode?: string | undefined;
  errorCode?: string | undefined;
  requestId?: string | undefined;
  durationMsMin?: number | undefined;
  costMicrocentsMin?: number | undefined;
  /** Only requests whose provider cost was not charged in full. */
  isUncharged?: boolean;
}

/** Collects the values of a statement and returns their placeholders. */
export class StatementValues {
  readonly values: unknown[] = [];

  add(value: unknown): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }
}

/** Returns the condition on the table `r`. Only filters that are set take part, so that each plan is made for them. */
export function toCondition(filter: RequestFilter, sql: StatementValues): string {
  const terms = [
    `r.project_id = ${sql.add(filter.projectId)}`,
    `r.at >= ${sql.add(filter.from)}`,
    `r.at < ${sql.add(filter.to)}`,
  ];
  const also = (value: unknown, term: (placeholder: string) => string) => {
    if (value !== undefined) terms.push(term(sql.add(value)));
  };
  also(filter.status, (value) => `r.status = ${value}`);
  // The statement needs the partial index's predicate itself: a generic plan does not know the value.
  if (filter.status !== undefined && filter.status !== 'succeeded') terms.push("r.status <> 'succeeded'");
  also(filter.model, (value) => `r.model = ${value}`);
  also(filter.customerId, (value) => `r.customer_id = ${value}`);
  also(filter.keyId, (value) => `r.key_id = ${value}`);
  also(filter.tierCode, (value) => `r.tier_code = ${value}`);
  also(filter.errorCode, (value) => `r.error_code = ${value}`);
  // Both columns have an index; a comparison of an id as text would have none.
  also(filter.requestId, (value) =>
    isUuid(filter.requestId ?? '')
      ? `(r.client_request_id = ${value} OR r.id = ${value}::uuid)`
      : `r.client_request_id = ${value}`,
  );
  also(filter.durationMsMin, (value) => `r.duration_ms >= ${value}`);
  also(filter.costMicrocentsMin, (value) => `r.cost_microcents >= ${value}`);
  if (filter.isUncharged) terms.push('(r.unreconciled_microcents > 0 OR r.overrun_microcents > 0)');
  return terms.join(' AND ');
}
