import { Link } from '@tanstack/react-router';
import { Page } from '../../parts/page.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { StatementMonths } from './statement-months.js';

/** The months of the owner's prepaid balance, each with its statement. */
export function AccountStatementsScreen() {
  const projectId = useProjectId();
  const trail = (
    <Link to="/p/$projectId/money" params={{ projectId }} className="hover:underline">
      Money
    </Link>
  );
  return (
    <Page
      title="Statements of the balance"
      trail={trail}
      hint="What moved in the account's prepaid balance, for all projects, month by month, from the ledger's journal."
    >
      <StatementMonths
        path="/account/statements"
        queryKey={['account', 'statements']}
        to="/p/$projectId/money/statements/$month"
        emptyHint="The first one begins with the account's first top-up."
      />
    </Page>
  );
}
