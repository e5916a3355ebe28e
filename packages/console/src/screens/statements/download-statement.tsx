import { Download } from 'lucide-react';
import { open } from '../../api/client.js';
import { saveFile } from '../../api/save-file.js';
import { useAction } from '../../api/use-action.js';
import { formatMonth } from '../../format/times.js';
import { Button } from '../../parts/button.js';
import { Failure } from '../../parts/states.js';

interface DownloadProps {
  /** Of the statements in the API. */
  path: string;
  month: string;
}

/** Saves the file that the API makes, with exact amounts. */
export function DownloadStatement({ path, month }: DownloadProps) {
  const download = useAction({
    act: async () => {
      const query = { format: 'csv' };
      const response = await open('GET', `${path}/${month}`, { query });
      saveFile(`statement-${month}.csv`, await response.text());
    },
    changes: [],
  });
  if (download.error) return <Failure error={download.error} onRetry={() => download.mutate()} />;
  return (
    <Button
      aria-label={`Download the statement of ${formatMonth(month)} as CSV`}
      isBusy={download.isPending}
      onClick={() => download.mutate()}
    >
      <Download className="size-4" aria-hidden /> CSV
    </Button>
  );
}
