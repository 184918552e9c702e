import { AfterDelay, Skeleton } from '../../../ui/feedback/Skeleton.tsx'
import { messageTexts as texts } from '../texts.ts'

const bubbles = [
  { own: false, width: 320 },
  { own: false, width: 210 },
  { own: true, width: 380 },
  { own: false, width: 260 },
]

export function ConversationSkeleton() {
  return (
    <AfterDelay>
      <p className="sr" role="status">
        {texts.loading}
      </p>
      {bubbles.map(({ own, width }) => (
        <div key={width} className={own ? 'msg own turn' : 'msg'}>
          <Skeleton width={width} height={42} borderRadius={10} />
        </div>
      ))}
    </AfterDelay>
  )
}
