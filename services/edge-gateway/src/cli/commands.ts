import {
  CommandError,
  type Commands,
  deadLetterCommands,
  exportCustomerCommand,
  pruneCommand,
  pruneStep,
} from '@tollgate/service';
import { createClients } from '../clients/clients.js';
import type { EdgeConfig } from '../config.js';
import { ACCOUNT_EVENTS, CUSTOMER_EVENTS, REQUEST_EVENTS } from '../consumers/events.js';
import { emailKey } from '../domain/email.js';
import { oldestMs } from '../operations/record-requests.js';
import { grantOwnerCredit } from '../operations/sign-in/grant-owner-credit.js';
import { rotateStoredSigningKey } from '../operations/tokens/signing-keys.js';
import { CUSTOMER_TABLES } from '../store/customer-export.js';
import { dropDays } from '../store/requests/partitions.js';
import { deletePast, RETENTION_RULES } from '../store/retention.js';
import { findAccountIdByEmailKey } from '../store/users.js';
import { finishPepperRotation, showPeppers } from './peppers.js';

/** The tasks that an operator runs in the image of this service. */
export const commands: Commands<EdgeConfig> = {
  'grant-credit': {
    arguments: 'EMAIL CENTS [CAUSE]',
    summary: 'adds to the prepaid balance of an owner, once per cause',
    async run({ network, openPool }, { args, print }) {
      const [email = '', cents = '', cause] = args;
      const { billing } = createClients(network);
      const granted = await grantOwnerCredit({ pool: openPool({ max: 1 }), billing }, { email, cents, cause });
      const balance = `balance ${granted.balanceCents} cents`;
      const done = granted.applied ? `granted ${cents} cents to ${email}` : 'already granted for this cause';
      await print(granted, `${done}; ${balance}`);
    },
  },
  'find-account': {
    arguments: 'EMAIL',
    summary: 'prints the id of the account of an owner, for commands of other services',
    async run({ openPool }, { args: [email = ''], print }) {
      const accountId = await findAccountIdByEmailKey(openPool({ max: 1 }), emailKey(email));
      if (accountId === undefined) throw new CommandError(`no owner has the email ${email}; check its spelling`);
      await print({ accountId }, accountId);
    },
  },
  'rotate-signing-key': {
    summary: 'publishes a new signing key, which signs ten minutes later',
    async run({ config, clock, openPool }, { print }) {
      if (config.tokens.privateKeys !== undefined) {
        throw new CommandError(
          'JWT_PRIVATE_KEYS holds the keys: append a new key, roll out, then move it to the front',
        );
      }
      const { kid } = await rotateStoredSigningKey(openPool({ max: 1 }), config.peppers, clock.now());
      await print({ kid }, `published signing key ${kid}; it signs in ten minutes`);
    },
  },
  'show-peppers': showPeppers,
  'finish-pepper-rotation': finishPepperRotation,
  'export-customer': exportCustomerCommand('edge-gateway', CUSTOMER_TABLES),
  ...deadLetterCommands({
    group: CUSTOMER_EVENTS.group,
    otherGroups: [REQUEST_EVENTS.group, ACCOUNT_EVENTS.group],
    topics: [...CUSTOMER_EVENTS.topics, ...REQUEST_EVENTS.topics, ...ACCOUNT_EVENTS.topics],
  }),
  prune: pruneCommand(({ clock, config, openPool }) => {
    const pool = openPool({ max: 1 });
    const rules = RETENTION_RULES.map((rule) =>
      pruneStep(rule.name, (limit) => deletePast(pool, rule, config.auditKeepDays, limit)),
    );
    const days = pruneStep('days of requests', (limit) => dropDays(pool, oldestMs({ clock, config }), limit));
    return [...rules, days];
  }),
};
