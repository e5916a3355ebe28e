import { expect } from '@jest/globals';
import { type ApiClient, type ApiResponse, customerBody, type Json, tierBody } from '@tollgate/testkit';
import { nativeErrorFaults } from './native-error.js';
import { must, type System, type TestProject } from './start-system.js';

export { NOBODY } from './nobody.js';

export async function newTier(project: TestProject, body: Record<string, unknown> = tierBody()): Promise<Json> {
  return must(await project.owner.post(`/projects/${project.id}/tiers`, body), 201).tier;
}

export async function newCustomer(project: TestProject, overrides: Record<string, unknown> = {}): Promise<Json> {
  return must(await project.api.post('/customers', customerBody(overrides)), 201).customer;
}

/** The API with the customer's token; the first token subscribes the customer to the tier. */
export async function asCustomer(
  system: System,
  project: TestProject,
  customerId: string,
  tierCode?: string,
): Promise<ApiClient> {
  const body = { customer_id: customerId, ...(tierCode && { tier_code: tierCode }) };
  return system.anonymous.as(must(await project.api.post('/auth/customer-token', body), 200).token);
}

/** Checks the status, the envelope and, if given, the code. */
export function expectRefused(answer: ApiResponse, status: number, code?: string): void {
  expect([answer.status, answer.body?.code]).toEqual([status, code ?? answer.body?.code]);
  expect(nativeErrorFaults(answer)).toEqual([]);
}
