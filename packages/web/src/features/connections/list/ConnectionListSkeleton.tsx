import { AfterDelay, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { connectionTexts as texts } from '../texts.ts'
import './connectionRow.css'

const rows = [
  ['72%', '46%'],
  ['54%', '40%'],
  ['64%', '44%'],
] as const

export function ConnectionListSkeleton() {
  return (
    <AfterDelay>
      <p className="sr" role="status">
        {texts.loading}
      </p>
      <div className="conns" aria-hidden="true">
        {rows.map(([name, date]) => (
          <div className="conn conn-skeleton" key={name}>
            <Skeleton width={40} height={40} borderRadius={6} />
            <span className="stack-tight">
              <Skeleton height={11} width={name} />
              <Skeleton height={9} width={date} />
            </span>
          </div>
        ))}
      </div>
    </AfterDelay>
  )
}
