import { Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import './manageConnections.css'

export interface Figure {
  label: string
  /** Undefined while loading. */
  value: number | undefined
}

export function Figures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="figures">
      {figures.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? <Skeleton width={36} height={24} />}</dd>
        </div>
      ))}
    </dl>
  )
}
