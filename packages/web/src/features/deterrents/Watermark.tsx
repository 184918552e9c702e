import { useId } from 'react'
import type { Client } from '@privity/client'
import { useDateTime } from '../../i18n/dateTime.ts'
import { everyMinute } from '../../browser/useMinuteTick.ts'
import { useStore } from '../../ui/useStore.ts'
import './watermark.css'

/** Upper bound for a character's width in the interface font at 13 px. */
const characterWidth = 8

/** Shows the viewer's name and the time faintly behind the messages, so that a photograph reveals the viewer. */
export function Watermark({ client, username }: { client: Client; username: string }) {
  const id = useId()
  const { formatDate, formatTime } = useDateTime()
  useStore(everyMinute)
  const now = client.now()
  const text = `${username} · ${formatDate(now)} ${formatTime(now)}`
  const width = text.length * characterWidth + 48
  return (
    <svg className="watermark" aria-hidden="true">
      <defs>
        <pattern id={id} width={width} height="132" patternUnits="userSpaceOnUse" patternTransform="rotate(-22)">
          <text x="0" y="34">
            {text}
          </text>
          <text x={width / 2} y="100">
            {text}
          </text>
          <text x={-width / 2} y="100">
            {text}
          </text>
        </pattern>
      </defs>
      <rect width="100%" height="100%" fill={`url(#${id})`} />
    </svg>
  )
}
