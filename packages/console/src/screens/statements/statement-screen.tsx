import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { get } from '../../api/client.js';
import { projectsQuery } from '../../api/queries.js';
import type { Statement } from '../../api/types.js';
import { Card, Facts } from '../../parts/card.js';
import { Loaded } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { StatementLines } from './statement-lines.js';
import { StatementPage, toMonthFacts } from './statement-page.js';

/** One month of the wallets of a project's customers. */
export function StatementScreen() {
  const projectId = useProjectId();
  const month = useParams({ strict: false }).month as string;
  const path = `/projects/${projectId}/statements`;
  const query = useQuery({
    queryKey: ['statements', projectId, 'month', month],
    queryFn: ({ signal }) => get<{ statement: Statement }>(`${path}/${month}`, {}, signal),
  });
  const trail = (
    <Link to="/p/$projectId/statements" params={{ projectId }} className="hover:underline">
      Statements
    </Link>
  );
  return (
    <StatementPage month={month} path={path} trail={trail}>
      <Loaded query={query}>{({ statement }) => <StatementBody statement={statement} />}</Loaded>
    </StatementPage>
  );
}

function StatementBody({ statement }: { statement: Statement }) {
  const projects = useQuery(projectsQuery);
  const project = projects.data?.projects.find(({ id }) => id === statement.project_id);
  return (
    <>
      <Card>
        <Facts rows={[['Project', project?.name ?? statement.project_id], ...toMonthFacts(statement)]} />
      </Card>
      <StatementLines title="Wallets of the customers" statement={statement} />
    </>
  );
}
