/** A persistence context for the key-value and task tools. */
export interface StateHandle {
  id: string;
  projectId: string;
  /** undefined = created without a customer */
  customerId: string | undefined;
  createdAt: Date;
  /** undefined = does not expire */
  expiresAt: Date | undefined;
}

export function newStateHandle(
  id: string,
  owner: { projectId: string; customerId: string | undefined },
  ttlSeconds: number | undefined,
  now: Date,
): StateHandle {
  const expiresAt = ttlSeconds === undefined ? undefined : new Date(now.getTime() + ttlSeconds * 1000);
  return { id, projectId: owner.projectId, customerId: owner.customerId, createdAt: now, expiresAt };
}
