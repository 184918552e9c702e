import { ShieldAlert } from 'lucide-react'
import { Link } from 'wouter'
import type { Client } from '@privity/client'
import type { Policy } from '@privity/contract/preferences'
import { useDateTime } from '../../i18n/dateTime.ts'
import { usePreferences } from '../../app/preferences/preferences.ts'
import { useSecondFactor } from '../../app/secondFactor/ownFactors.ts'
import { dashboardTexts } from '../texts.ts'
import '../../ui/panel/panel.css'

/** The day from which the organization will require a second factor; undefined if it already does or no day is set. */
export const announcedDay = ({ twoFactor, twoFactorFrom }: Policy): number | undefined =>
  twoFactor || twoFactorFrom === 0 ? undefined : twoFactorFrom

/** Announces to a member without a second factor from which day the organization requires one. */
export function AnnouncedFactor({ client }: { client: Client }) {
  const from = announcedDay(usePreferences().policy)
  return from === undefined ? null : <FactorNotice client={client} from={from} />
}

/** Shown only once it is known that the member has no second factor. */
export function FactorNotice({ client, from }: { client: Client; from: number }) {
  const { data } = useSecondFactor(client)
  const { formatDate } = useDateTime()
  const { announced, setUpNow } = dashboardTexts.factor
  if (data?.on !== false) return null
  return (
    <div className="alert alert-info" role="status">
      <ShieldAlert className="ic" />
      <p>
        {announced(formatDate(from))} <Link href="/privacy-security#twoFactor">{setUpNow}</Link>
      </p>
    </div>
  )
}
