/** Small bars without axes, for a row of a table. */
interface Props {
  /** Pairs of a time in Unix seconds and a value, by time. */
  readonly points: readonly (readonly number[])[];
  /** The text for screen readers. */
  readonly label: string;
}

const [width, height] = [96, 20];

export function Sparkline({ points, label }: Props) {
  if (points.length === 0) return null;
  const most = Math.max(1, ...points.map(([, value = 0]) => value));
  const step = width / points.length;
  return (
    <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
      <line x1={0} x2={width} y1={height - 0.5} y2={height - 0.5} stroke="var(--mantine-color-default-border)" />
      {points.map(([time, value = 0], at) => {
        const tall = value === 0 ? 0 : Math.max(1, (value / most) * height);
        return (
          <rect key={time} x={at * step} y={height - tall} width={step * 0.8} height={tall} fill="var(--accent-mark)" />
        );
      })}
    </svg>
  );
}
