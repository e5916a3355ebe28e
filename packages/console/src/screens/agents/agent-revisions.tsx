import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { get } from '../../api/client.js';
import type { Agent, AgentVersion } from '../../api/types.js';
import { formatMoment } from '../../format/times.js';
import { Button } from '../../parts/button.js';
import { Card } from '../../parts/card.js';
import { Id } from '../../parts/copy.js';
import { Select } from '../../parts/field.js';
import { Scrolling } from '../../parts/scrolling.js';
import { Loaded } from '../../parts/states.js';
import { compareLines } from './compare-lines.js';
import { RestoreRevision } from './restore-revision.js';

const LIMIT = 50;

/** Compares a revision with the one before it. */
export function AgentRevisions({ path, agent }: { path: string; agent: Agent['agent'] }) {
  const query = useQuery({
    queryKey: ['agent', path, 'versions'],
    queryFn: ({ signal }) => get<{ versions: AgentVersion[] }>(`${path}/versions`, { limit: LIMIT }, signal),
  });
  return (
    <Loaded query={query}>{({ versions }) => <Comparison path={path} agent={agent} versions={versions} />}</Loaded>
  );
}

const MARKS = { same: ' ', added: '+', removed: '-' } as const;
const COLORS = { same: 'text-soft', added: 'bg-good-wash text-good', removed: 'bg-bad-wash text-bad' } as const;

interface ComparisonProps {
  path: string;
  agent: Agent['agent'];
  versions: readonly AgentVersion[];
}

function Comparison({ path, agent: { slug, current_revision: current }, versions }: ComparisonProps) {
  const [chosen, setChosen] = useState(String(versions[0]?.revision));
  const at = versions.findIndex(({ revision }) => String(revision) === chosen);
  const version = versions[at] as AgentVersion;
  const [isRestoring, setRestoring] = useState(false);
  const lines = compareLines(toText(versions[at + 1]), toText(version));
  const options = versions.map(
    ({ revision, created_at }) => [String(revision), `Revision ${revision} · ${formatMoment(created_at)}`] as const,
  );
  const pick = (
    <Select aria-label="Revision" className="!w-auto max-w-full" value={chosen} options={options} onPick={setChosen} />
  );
  return (
    <Card title="Changes" aside={pick} isFlush>
      <div className="flex flex-wrap items-center justify-between gap-2 border-b px-4 py-2">
        <p className="text-soft">
          A call that names <Id value={`${slug}@${version.revision}`} /> always gets this revision.
        </p>
        {version.revision !== current && (
          <Button needs="resources.manage" onClick={() => setRestoring(true)}>
            Restore
          </Button>
        )}
      </div>
      <Scrolling label="Changes">
        <pre className="py-3 font-mono text-xs leading-relaxed">
          {lines.map(({ kind, text, key }) => (
            <div key={key} className={`px-4 whitespace-pre ${COLORS[kind]}`}>
              {MARKS[kind]} {text}
            </div>
          ))}
        </pre>
      </Scrolling>
      {isRestoring && (
        <RestoreRevision path={path} version={version} current={current} onClose={() => setRestoring(false)} />
      )}
    </Card>
  );
}

function toText(version: AgentVersion | undefined): string[] {
  if (!version) return [];
  const { revision: _revision, created_at: _at, system = '', ...settings } = version;
  return [...JSON.stringify(settings, null, 2).split('\n'), ...system.split('\n')];
}
