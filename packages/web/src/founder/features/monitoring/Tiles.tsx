import type { RealtimeStats } from '@privity/contract/founder/monitoring'
import { formatNumber } from '../../../core/language.ts'
import { classes } from '../../../ui/classes.ts'
import { AfterDelay, Skeleton } from '../../../ui/Skeleton.tsx'
import { monitoringTexts as texts } from './texts.ts'

const tiles = [
  { name: 'activeUsers' },
  { name: 'activeSessions' },
  { name: 'messagesLast24h' },
  { name: 'connectionsLast24h' },
  { name: 'flaggedMessagesCount', above: 'tile-warn' },
  { name: 'lockedAccountsCount', above: 'tile-crit' },
] as const

/** Live numbers change in place; two of them take a colour above 0. */
export function Tiles({ stats }: { stats: RealtimeStats | undefined }) {
  return (
    <dl className="panel tiles" aria-busy={!stats || undefined}>
      {tiles.map((tile) => {
        const value = stats?.[tile.name]
        return (
          <div
            key={tile.name}
            className={classes('tile', 'above' in tile && value !== undefined && value > 0 && tile.above)}
          >
            <dt>{texts.tiles[tile.name]}</dt>
            <dd>
              {value === undefined ? (
                <AfterDelay>
                  <Skeleton width={64} height={24} />
                </AfterDelay>
              ) : (
                formatNumber(value)
              )}
            </dd>
          </div>
        )
      })}
    </dl>
  )
}
