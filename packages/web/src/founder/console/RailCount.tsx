import { formatNumber } from '../../i18n/language.ts'
import { classes } from '../../ui/classes.ts'
import '../../ui/badge/badge.css'

/** A count beside a rail entry; nothing if it is 0. `label` names the counted items for screen readers. */
export function RailCount({ count, tone, label }: { count: number; tone?: 'warn' | 'crit'; label: string }) {
  if (count === 0) return null
  return (
    <span className={classes('count', tone && `count-${tone}`)}>
      {formatNumber(count)}
      <span className="sr"> {label}</span>
    </span>
  )
}
