import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { get } from '../../api/client.js';
import type { AccountStatement } from '../../api/types.js';
import { Card, Facts } from '../../parts/card.js';
import { Loaded } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { StatementLines } from './statement-lines.js';
import { StatementPage, toMonthFacts } from './statement-page.js';

const PATH = '/account/statements';

/** One month of the owner's prepaid balance. */
export function AccountStatementScreen() {
  const projectId = useProjectId();
  const month = useParams({ strict: false }).month as string;
  const query = useQuery({
    queryKey: ['account', 'statements', 'month', month],
    queryFn: ({ signal }) => get<{ statement: AccountStatement }>(`${PATH}/${month}`, {}, signal),
  });
  const trail = (
    <Link to="/p/$projectId/money/statements" params={{ projectId }} className="hover:underline">
      Statements of the balance
    </Link>
  );
  return (
    <StatementPage month={month} path={PATH} trail={trail}>
      <Loaded query={query}>
        {({ statement }) => (
          <>
            <Card>
              <Facts rows={[['Account', statement.account_id], ...toMonthFacts(statement)]} />
            </Card>
            <StatementLines title="Prepaid balance" statement={statement} />
          </>
        )}
      </Loaded>
    </StatementPage>
  );
}
