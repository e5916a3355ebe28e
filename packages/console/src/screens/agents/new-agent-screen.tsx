import { Link } from '@tanstack/react-router';
import { Page } from '../../parts/page.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { AgentEditor } from './agent-editor.js';

export function NewAgentScreen() {
  const projectId = useProjectId();
  const trail = (
    <Link to="/p/$projectId/agents" params={{ projectId }} className="hover:underline">
      Agents
    </Link>
  );
  return (
    <Page title="New agent" trail={trail} hint="Every change of its configuration makes a revision that stays.">
      <AgentEditor />
    </Page>
  );
}
