import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { projectsQuery } from '../../api/queries.js';
import { formatMoment } from '../../format/times.js';
import { Button } from '../../parts/button.js';
import { Card, Facts } from '../../parts/card.js';
import { Id } from '../../parts/copy.js';
import { Page } from '../../parts/page.js';
import { Empty, Loaded } from '../../parts/states.js';
import { useProjectId } from '../../shell/use-list-search.js';
import { CreateProject } from './create-project.js';
import { ProjectForm } from './project-form.js';

export function SettingsScreen() {
  const projectId = useProjectId();
  const query = useQuery(projectsQuery);
  const [isCreating, setCreating] = useState(false);
  return (
    <Page title="Settings" actions={<Button onClick={() => setCreating(true)}>New project</Button>}>
      <Loaded query={query}>
        {({ projects }) => {
          const project = projects.find(({ id }) => id === projectId);
          if (!project) return <Empty title="There is no such project" />;
          return (
            <>
              <Card title="Project">
                <ProjectForm key={project.updated_at} project={project} />
              </Card>
              <Card title="For your code">
                <Facts
                  rows={[
                    ['API', <Id key="api" value={`${location.origin}/api/v1`} />],
                    ['Project id', <Id key="id" value={project.id} />],
                    ['Created', formatMoment(project.created_at)],
                  ]}
                />
              </Card>
            </>
          );
        }}
      </Loaded>
      {isCreating && <CreateProject onClose={() => setCreating(false)} />}
    </Page>
  );
}
