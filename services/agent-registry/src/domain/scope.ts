/** What a caller may touch: one customer's part of a project, or without a customer all of it. */
export interface Scope {
  projectId: string;
  customerId: string | undefined;
}
