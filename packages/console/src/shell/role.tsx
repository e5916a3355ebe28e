import type { Permission, Role } from '@tollgate/api/identity';
import { createContext, type ReactNode, useContext } from 'react';

/** The user's role in the project that is shown, and what it permits. */
export interface Membership {
  role: Role;
  permissions: readonly Permission[];
}

const MembershipContext = createContext<Membership | undefined>(undefined);

export interface MembershipProviderProps {
  membership: Membership | undefined;
  children: ReactNode;
}

/** The service enforces permissions; the pages only follow them. */
export function MembershipProvider({ membership, children }: MembershipProviderProps) {
  return <MembershipContext value={membership}>{children}</MembershipContext>;
}

export function useRole(): Role | undefined {
  return useContext(MembershipContext)?.role;
}

/** Returns whether the user may do something; without a known membership, pages show everything. */
export function usePermissions(): (needs: Permission | undefined) => boolean {
  const membership = useContext(MembershipContext);
  return (needs) => needs === undefined || membership === undefined || membership.permissions.includes(needs);
}

export function useMay(needs: Permission | undefined): boolean {
  return usePermissions()(needs);
}

/** Shows its content only to users who may do this. */
export function Permitted({ needs, children }: { needs: Permission; children: ReactNode }) {
  return useMay(needs) ? children : null;
}
