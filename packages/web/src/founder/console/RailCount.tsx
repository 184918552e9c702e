import { formatNumber } from '../../i18n/language.ts'
import { classes } from '../../ui/classes.ts'
import '../../ui/badge/badge.css'

/** A number beside an entry of the rail; nothing at 0. `label` says what is counted, for who does not see where it stands. */
export function RailCount({ count, tone, label }: { count: number; tone?: 'warn' | 'crit'; label: string }) {
  if (count === 0) return null
  return (
    <span className={classes('count', tone && `count-${tone}`)}>
      {formatNumber(count)}
      <span className="sr"> {label}</span>
    </span>
  )
}
