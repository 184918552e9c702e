import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { SettingRow } from '../../../ui/section/SettingRow.tsx'
import { reachQuery } from '../queries.ts'
import { organizationTexts } from '../texts.ts'

interface AnnouncedTwoFactorProps {
  client: Client
  from: number
  onChange: () => void
}

/** Shows the day from which two-factor authentication is required, and how many members lack it. */
export function AnnouncedTwoFactor({ client, from, onChange }: AnnouncedTwoFactorProps) {
  const texts = organizationTexts.policy
  const { formatDate } = useDateTime()
  const { data } = useQuery(reachQuery(client))
  return (
    <SettingRow
      label={texts.announced(formatDate(from))}
      hint={<span role="status">{data && texts.concerned(data.withoutSecondFactor)}</span>}
      control={
        <Button size="sm" onClick={onChange}>
          {texts.changeDay}
        </Button>
      }
    />
  )
}
