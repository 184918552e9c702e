import type { RealtimeStats } from '@privity/contract/founder/monitoring'
import { formatNumber } from '../../../i18n/language.ts'
import { classes } from '../../../ui/classes.ts'
import { Figure } from '../../console/values.tsx'
import { type Minute, summaryOf } from './minutes.ts'
import { monitoringTexts as texts } from './texts.ts'

const tiles = [
  { name: 'activeUsers' },
  { name: 'activeSessions' },
  { name: 'messagesLast24h' },
  { name: 'connectionsLast24h' },
  { name: 'flaggedMessagesCount', above: 'tile-warn' },
  { name: 'lockedAccountsCount', above: 'tile-crit' },
] as const

interface TilesProps {
  stats: RealtimeStats | undefined
  /** Minutes of the last hour, once loaded. */
  minutes?: readonly Minute[] | undefined
  /** Loading failed, so show no skeletons. */
  failed?: boolean
}

/** Live figures. Two turn coloured above 0, and two also show the last hour's count. */
export function Tiles({ stats, minutes, failed = false }: TilesProps) {
  const hour = minutes && summaryOf(minutes)
  const notes: Partial<Record<string, number | undefined>> = {
    messagesLast24h: hour?.messages,
    flaggedMessagesCount: hour?.flags,
  }
  return (
    <dl className="panel con-figures fold tiles" aria-busy={(!stats && !failed) || undefined}>
      {tiles.map((tile) => {
        const value = stats?.[tile.name]
        const note = notes[tile.name]
        return (
          <div
            key={tile.name}
            className={classes('tile', 'above' in tile && value !== undefined && value > 0 && tile.above)}
          >
            <dt>{texts.tiles[tile.name]}</dt>
            <dd>
              <Figure value={value} failed={failed} width={64} height={24} />
            </dd>
            {note !== undefined && value !== undefined && (
              <dd className="tile-note">{texts.lastHour(formatNumber(note))}</dd>
            )}
          </div>
        )
      })}
    </dl>
  )
}
