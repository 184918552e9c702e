import { Shield, UserCheck, Users, UserX } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { monitoring, type UserStats as Stats } from '@privity/contract/founder/monitoring'
import { LoadError } from '../../console/LoadError.tsx'
import { callQuery } from '../../console/queries.ts'
import { Figure } from '../../console/values.tsx'
import { userStatsTexts as texts } from './texts.ts'
import '../../../ui/panel/panel.css'

/** Number of users with an administrative role. */
export const adminsOf = ({ usersByRole }: Stats): number => usersByRole.super_admin + usersByRole.org_admin

const cards = (stats: Stats | undefined) => [
  { label: texts.total, value: stats?.totalUsers, Icon: Users },
  { label: texts.active, value: stats?.activeUsers, Icon: UserCheck },
  { label: texts.suspended, value: stats?.suspendedUsers, Icon: UserX },
  { label: texts.admins, value: stats && adminsOf(stats), Icon: Shield },
]

/** Four figures, loaded once and refreshed by the button: the specification does not poll them. */
export function UserStats() {
  const stats = useQuery(callQuery(monitoring.stats, {}))
  const { data, isError } = stats
  return (
    <section className="con-sec" id="user-stats" aria-label={texts.title}>
      <LoadError query={stats} title={texts.notLoaded} />
      <dl className="panel con-figures fold stats">
        {cards(data).map(({ label, value, Icon }) => (
          <div key={label}>
            <dt>
              {label}
              <Icon className="ic" aria-hidden="true" />
            </dt>
            <dd>
              <Figure value={value} failed={isError} width={56} height={22} />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
