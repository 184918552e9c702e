import { useQuery } from '@tanstack/react-query'
import {
  type LucideIcon,
  KeyRound,
  LogIn,
  LogOut,
  ScrollText,
  Settings2,
  Trash2,
  UserCog,
  UserPlus,
  UserX,
} from 'lucide-react'
import type { Client } from '@privity/client'
import { machineTime, useDateTime } from '../../i18n/dateTime.ts'
import { EmailText } from '../../ui/EmailText.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { Panel } from '../../ui/panel/Panel.tsx'
import { AfterDelay, Skeleton } from '../../ui/feedback/Progress.tsx'
import { describeEntry, auditPersonName } from './entryText.ts'
import { recentQuery } from './queries.ts'
import { auditTexts } from './texts.ts'
import { QueryError } from '../../app/QueryError.tsx'

/** Icons by a word in the action's name; other actions get a scroll. */
const icons: readonly (readonly [RegExp, LucideIcon])[] = [
  [/role/, UserCog],
  [/deactivated|suspended/, UserX],
  [/deleted/, Trash2],
  [/account_created|activated|invitation/, UserPlus],
  [/signed_in/, LogIn],
  [/signed_out|session/, LogOut],
  [/password|second_factor|passkey|totp|recovery/, KeyRound],
  [/policy|preferences/, Settings2],
]

/** The three newest entries of the audit log. */
export function RecentActivity({ client }: { client: Client }) {
  const texts = auditTexts.recent
  const { formatDate, formatTime } = useDateTime()
  const recent = useQuery(recentQuery(client))
  return (
    <Panel title={texts.title}>
      {recent.isPending && (
        <AfterDelay>
          <Skeleton height={120} />
        </AfterDelay>
      )}
      <QueryError query={recent} title={auditTexts.notLoaded} />
      {recent.data?.length === 0 && <EmptyState title={texts.none} />}
      <ul className="adm-recent">
        {recent.data?.map((entry) => {
          const { id, action, actor, target, targetUserEmail, performedAt } = entry
          const Icon = icons.find(([word]) => word.test(action))?.[1] ?? ScrollText
          return (
            <li key={id}>
              <Icon className="ic" />
              <div className="grow">
                <b>{describeEntry(entry)}</b>
                {target && (
                  <span className="muted">
                    {targetUserEmail ? <EmailText address={targetUserEmail} /> : auditPersonName(target)}
                  </span>
                )}
                <span className="adm-when">
                  {texts.by(auditPersonName(actor))},{' '}
                  <time dateTime={machineTime(performedAt)}>
                    {formatDate(performedAt)}, {formatTime(performedAt)}
                  </time>
                </span>
              </div>
            </li>
          )
        })}
      </ul>
    </Panel>
  )
}
