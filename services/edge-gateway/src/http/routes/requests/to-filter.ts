import type { RequestFilters } from '@tollgate/api/reports';
import type { ReportRange } from '../../../domain/reports/report-range.js';
import type { RequestFilter } from '../../../store/requests/request-filter.js';

/** Ids are compared as stored, which is lower case. */
export function toFilter(projectId: string, range: ReportRange, query: RequestFilters): RequestFilter {
  return {
    projectId,
    ...range,
    status: query.status,
    model: query.model,
    customerId: query.customer_id,
    keyId: query.key_id,
    tierCode: query.tier_code,
  };
}
