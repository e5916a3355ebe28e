/** The data that a caller may access: one customer's within a project, or the whole project without a customer. */
export interface Scope {
  projectId: string;
  customerId: string | undefined;
}
