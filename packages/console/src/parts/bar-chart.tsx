import { useState } from 'react';
import { toScale } from '../format/chart-scale.js';
import { classes } from './classes.js';

const LINES = 4;
/** Labels of the horizontal axis, at most; half of them on a phone. */
const LABELS = 8;

export interface Series {
  label: string;
  /** A CSS color. */
  color: string;
}

export interface BarChartProps {
  label: string;
  series: readonly Series[];
  /** One value for each series. */
  points: readonly { label: string; values: readonly number[] }[];
  format: (value: number) => string;
  /** Returns the format of the marks of the axis, which have the same decimals. */
  formatScale?: (marks: readonly number[]) => (value: number) => string;
}

/** Bars beside each other, in groups. Readers of the screen get the same figures as a table. */
export function BarChart({ label, series, points, format, formatScale }: BarChartProps) {
  const [shown, setShown] = useState<number>();
  const scale = toScale(Math.max(0, ...points.flatMap(({ values }) => values)), LINES);
  const top = scale.at(-1) || 1;
  return (
    <figure className="relative">
      <Legend series={series} />
      <div className="relative h-56 pr-1 pb-6 pl-18" aria-hidden>
        <div className="relative h-full">
          {scale.map((value) => (
            <div key={value} className="absolute inset-x-0 border-t" style={{ bottom: `${(100 * value) / top}%` }}>
              <span className="absolute right-full -translate-y-1/2 pr-2 text-xs whitespace-nowrap text-soft tabular-nums">
                {(formatScale?.(scale) ?? format)(value)}
              </span>
            </div>
          ))}
          <div className="absolute inset-0 flex items-stretch">
            {points.map((point, i) => (
              <Group
                key={point.label}
                point={point}
                series={series}
                top={top}
                format={format}
                isShown={i === shown}
                onTap={() => setShown(i === shown ? undefined : i)}
                isNamed={i % toStride(points.length) === 0}
                isNamedOnPhone={i % (2 * toStride(points.length)) === 0}
              />
            ))}
          </div>
        </div>
      </div>
      {/* A table has its full height even when it is clipped, which made the page longer. */}
      <div className="sr-only">
        <Figures label={label} series={series} points={points} format={format} />
      </div>
    </figure>
  );
}

function toStride(count: number): number {
  return Math.max(1, Math.ceil(count / LABELS));
}

function Legend({ series }: Pick<BarChartProps, 'series'>) {
  return (
    <figcaption className="mb-4 flex flex-wrap gap-x-4 text-soft">
      {series.map(({ label, color }) => (
        <span key={label} className="inline-flex items-center gap-1.5">
          <span className="size-2.5 rounded-full" style={{ background: color }} aria-hidden /> {label}
        </span>
      ))}
    </figcaption>
  );
}

interface GroupProps extends Pick<BarChartProps, 'series' | 'format'> {
  point: BarChartProps['points'][number];
  top: number;
  isNamed: boolean;
  isNamedOnPhone: boolean;
  /** Its values are shown, as they are under a mouse: a finger does not hover. */
  isShown: boolean;
  onTap: () => void;
}

function Group({ point, series, top, format, isNamed, isNamedOnPhone, isShown, onTap }: GroupProps) {
  return (
    <div
      className="group relative flex min-w-0 flex-1 items-end justify-center gap-px hover:bg-raised"
      onPointerUp={({ pointerType }) => pointerType !== 'mouse' && onTap()}
    >
      {series.map(({ label, color }, i) => (
        <div
          key={label}
          className="max-w-4 flex-1 rounded-t-sm"
          style={{ height: `${(100 * (point.values[i] ?? 0)) / top}%`, background: color }}
        />
      ))}
      {isNamed && (
        <span
          className={classes(
            'absolute top-full left-1/2 -translate-x-1/2 pt-1.5 text-xs whitespace-nowrap text-soft',
            !isNamedOnPhone && 'max-sm:hidden',
          )}
        >
          {point.label}
        </span>
      )}
      <div
        className={classes(
          'pointer-events-none absolute bottom-full left-1/2 z-10 -translate-x-1/2 rounded-lg border bg-surface px-3 py-2 whitespace-nowrap shadow-lg',
          !isShown && 'hidden group-hover:block',
        )}
      >
        <div className="font-medium">{point.label}</div>
        {series.map(({ label }, i) => (
          <div key={label} className="flex justify-between gap-6 text-soft tabular-nums">
            <span>{label}</span> <span>{format(point.values[i] ?? 0)}</span>
          </div>
        ))}
      </div>
    </div>
  );
}

function Figures({ label, series, points, format }: BarChartProps) {
  return (
    <table>
      <caption>{label}</caption>
      <thead>
        <tr>
          <th scope="col">When</th>
          {series.map((each) => (
            <th key={each.label} scope="col">
              {each.label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.map((point) => (
          <tr key={point.label}>
            <th scope="row">{point.label}</th>
            {series.map((each, i) => (
              <td key={each.label}>{format(point.values[i] ?? 0)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
