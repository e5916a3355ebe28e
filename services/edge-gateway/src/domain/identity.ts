/** What every request needs to know about a project. */
export interface ProjectFacts {
  projectId: string;
  accountId: string;
  /** The project bills its customers elsewhere. */
  byob: boolean;
  /** Publishable keys may claim customers. */
  publishableClaims: boolean;
  /** Exact repeats of deterministic requests are answered from the response cache. */
  responseCache: boolean;
}

export interface OwnerFacts {
  userId: string;
  /** The account's oldest project: what an owner's session means where no project is named. */
  project: ProjectFacts;
}

export interface KeyFacts {
  keyId: string;
  kind: 'secret' | 'publishable';
  project: ProjectFacts;
  spendLimitCents: bigint | undefined;
  expiresMs: number | undefined;
}

/** A customer as a secret key's request may name it. */
export interface CustomerFacts {
  customerId: string;
  externalId: string;
  /** Empty without a subscription. */
  tierCode: string;
}
