import type { Role } from '@tollgate/api/identity';
import { SelectField } from '../../parts/field.js';
import { useRole } from '../../shell/role.js';

/** Every role with its meaning, the most powerful first. */
const MEANINGS: Readonly<Record<Role, string>> = {
  owner: 'Everything, also deleting the project and changing owners.',
  admin: 'Everything but deleting the project and changing owners.',
  developer: 'Customers, keys, agents, hooks and webhooks; no members. The keys they create can also move money.',
  billing: 'Sees balances and payments; tops up, credits and refunds wallets; changes subscriptions.',
  viewer: 'Sees everything and changes nothing.',
};

const ROLES = Object.keys(MEANINGS) as Role[];

/** Only owners make, change and remove owners; the service decides. */
export function mayAssign(own: Role | undefined, affected: Role): boolean {
  return own === 'owner' || affected !== 'owner';
}

/** Offers the roles that the user may give. */
export function RoleField({ value, onPick }: { value: Role; onPick: (role: Role) => void }) {
  const own = useRole();
  const offered = ROLES.filter((role) => mayAssign(own, role));
  return (
    <SelectField
      label="Role"
      value={value}
      options={offered.map((role) => [role, role])}
      hint={MEANINGS[value]}
      onPick={(role) => onPick(role as Role)}
    />
  );
}
