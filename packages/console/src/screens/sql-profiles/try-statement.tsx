import { type FormEvent, useState } from 'react';
import { call } from '../../api/client.js';
import type { SqlVerdict } from '../../api/types.js';
import { useAction } from '../../api/use-action.js';
import { Badge } from '../../parts/badge.js';
import { Button } from '../../parts/button.js';
import { Card, Facts } from '../../parts/card.js';
import { CodeBlock } from '../../parts/copy.js';
import { TextArea } from '../../parts/field.js';
import { Failure } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';

/** Checks a statement by the stored profile. Nothing is run. */
export function TryStatement({ profileId }: { profileId: string }) {
  const projectId = useProjectId();
  const [sql, setSql] = useState('');
  const check = useAction({
    act: () =>
      call<SqlVerdict>('POST', `/projects/${projectId}/sql/validate`, { body: { sql, profile_id: profileId } }),
    changes: [],
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    check.mutate();
  };
  return (
    <Card title="Try a statement">
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextArea
          label="Statement"
          rows={3}
          required
          spellCheck={false}
          className="font-mono text-xs"
          placeholder="SELECT * FROM orders"
          value={sql}
          hint="It is checked by the policy as it is saved. Nothing is run."
          onChange={(event) => setSql(event.target.value)}
        />
        {check.error && <Failure error={check.error} />}
        {check.data && !check.error && <Verdict verdict={check.data} />}
        <footer>
          <Button type="submit" needs="resources.manage" isBusy={check.isPending}>
            Check
          </Button>
        </footer>
      </form>
    </Card>
  );
}

function Verdict({ verdict }: { verdict: SqlVerdict }) {
  return (
    <div className="flex flex-col gap-3">
      <Facts
        rows={[
          [
            'Verdict',
            <Badge key="verdict" tone="good">
              may be run
            </Badge>,
          ],
          ['Tables', verdict.tables.join(', ') || 'none'],
          ['Rows, at most', verdict.limit ?? 'no bound'],
        ]}
      />
      <CodeBlock text={verdict.normalized_sql} label="statement to run" />
    </div>
  );
}
