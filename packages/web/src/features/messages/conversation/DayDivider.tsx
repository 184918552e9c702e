import { daysBetween, useDateTime } from '../../../i18n/dateTime.ts'
import { everyMinute } from '../../../browser/useMinuteTick.ts'
import { useStore } from '../../../ui/useStore.ts'
import { messageTexts as texts } from '../texts.ts'

export function DayRule({ at, now }: { at: number; now: () => number }) {
  const { formatDate } = useDateTime()
  useStore(everyMinute)
  const ago = daysBetween(at, now())
  const words = ago <= 0 ? texts.today : ago === 1 ? texts.yesterday : formatDate(at)
  return (
    <div className="day">
      <span>{words}</span>
    </div>
  )
}
