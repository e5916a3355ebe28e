import { Page } from '../../parts/page.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { StatementMonths } from './statement-months.js';

/** The months of the project, each with its statement. */
export function StatementsScreen() {
  const projectId = useProjectId();
  return (
    <Page
      title="Statements"
      hint="What moved in the wallets of the project's customers, month by month, from the ledger's journal."
    >
      <StatementMonths
        path={`/projects/${projectId}/statements`}
        queryKey={['statements', projectId]}
        to="/p/$projectId/statements/$month"
        emptyHint="The first one begins with the project's first customer."
      />
    </Page>
  );
}
