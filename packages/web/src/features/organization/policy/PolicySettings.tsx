import { Fragment, useState } from 'react'
import { useMutation, useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { limits } from '@privity/contract/limits'
import type { OrganizationPolicy } from '@privity/contract/organization'
import { everyMinute } from '../../../browser/useMinuteTick.ts'
import { useStore } from '../../../ui/useStore.ts'
import { Panel } from '../../../ui/panel/Panel.tsx'
import { Select } from '../../../ui/choice/Select.tsx'
import { SettingRow, SwitchRow } from '../../../ui/section/Section.tsx'
import { AfterDelay, Skeleton } from '../../../ui/feedback/Progress.tsx'
import { AllowedDomains } from './AllowedDomains.tsx'
import { policyChange, isAnnounced } from './policyChange.ts'
import { currentQuery, policyQuery, reachQuery } from '../queries.ts'
import { RequireTwoFactor } from './RequireTwoFactor.tsx'
import { organizationTexts } from '../texts.ts'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Confirm } from '../../../ui/dialog/Confirm.tsx'
import { QueryError } from '../../../app/QueryError.tsx'
import '../../../ui/field/formLine.css'

const ofMembers = [
  'twoFactor',
  'screenshotProtection',
  'watermark',
  'sessionTimeout',
  'onlyApprovedBrowsers',
  'pushForbidden',
  'directory',
] as const
type SwitchName = (typeof ofMembers)[number] | 'invitationOnly'

export function PolicySettings({ client }: { client: Client }) {
  const texts = organizationTexts.policy
  const policy = useQuery(policyQuery(client))
  const isDefault = useQuery(currentQuery(client)).data?.isDefault ?? false
  const { mutate } = useMutation(policyChange(client))
  const [asked, setAsked] = useState<'require' | 'release'>()
  // Renders every minute, because the announced day may arrive while the page is open.
  useStore(everyMinute)
  const announced = policy.data && isAnnounced(policy.data, client.now()) ? policy.data.twoFactorFrom : undefined

  function change(name: SwitchName, on: boolean) {
    // Both are confirmed first: on locks out members without a second factor; off makes the password suffice.
    if (name === 'twoFactor') setAsked(on ? 'require' : 'release')
    else mutate({ [name]: on })
  }

  return (
    <Panel title={texts.title}>
      <p className="form-lead">{texts.lead}</p>
      <QueryError query={policy} title={texts.notLoaded} />
      {policy.isPending && (
        <AfterDelay>
          <Skeleton height={200} />
        </AfterDelay>
      )}
      {policy.data &&
        [...ofMembers, ...(isDefault ? (['invitationOnly'] as const) : [])].map((name) => (
          <Fragment key={name}>
            <SwitchRow {...texts.switches[name]} checked={policy.data[name]} onChange={(on) => change(name, on)} />
            {name === 'twoFactor' && announced !== undefined && (
              <AnnouncedTwoFactor client={client} from={announced} onChange={() => setAsked('require')} />
            )}
          </Fragment>
        ))}
      {policy.data && (
        <SessionDays days={policy.data.sessionDays} onChange={(sessionDays) => mutate({ sessionDays })} />
      )}
      {policy.data && <LockAfter minutes={policy.data.lockAfter} onChange={(lockAfter) => mutate({ lockAfter })} />}
      {policy.data && <AllowedDomains client={client} domains={policy.data.allowedEmailDomains} />}
      {asked === 'require' && (
        <RequireTwoFactor
          client={client}
          announced={announced}
          onClose={() => setAsked(undefined)}
          onConfirm={(twoFactorFrom) => mutate({ twoFactor: true, twoFactorFrom })}
        />
      )}
      {asked === 'release' && (
        <ReleaseTwoFactor onClose={() => setAsked(undefined)} onConfirm={() => mutate({ twoFactor: false })} />
      )}
    </Panel>
  )
}

const offeredDays = [90, 30, 14, 7, 1]

interface SessionDaysProps {
  days: number
  onChange: (days: number) => void
}

function SessionDays({ days, onChange }: SessionDaysProps) {
  const { label, hint, count } = organizationTexts.policy.sessionDays
  // Also offer a number of days that was set through the API.
  const offered = offeredDays.includes(days) ? offeredDays : [...offeredDays, days]
  return (
    <SettingRow
      stacked
      label={label}
      hint={hint}
      control={
        <Select
          label={label}
          value={String(days)}
          options={offered.map((each) => ({ value: String(each), label: count(each) }))}
          onChange={(value) => onChange(Number(value))}
        />
      }
    />
  )
}

type Minutes = OrganizationPolicy['lockAfter']

function LockAfter({ minutes, onChange }: { minutes: Minutes; onChange: (minutes: Minutes) => void }) {
  const texts = organizationTexts.policy.lockAfter
  return (
    <SettingRow
      stacked
      label={texts.label}
      hint={texts.hint}
      control={
        <Select
          label={texts.label}
          value={`${minutes}`}
          options={([0, ...limits.idleLockMinutes] as const).map((each) => ({
            value: `${each}` as const,
            label: texts.minutes(each),
          }))}
          onChange={(value) => onChange(Number(value) as Minutes)}
        />
      }
    />
  )
}

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

/** Asks for confirmation before two-factor authentication becomes optional. */
function ReleaseTwoFactor({ onClose, onConfirm }: { onClose: () => void; onConfirm: () => void }) {
  const texts = organizationTexts.policy.release
  return (
    <Confirm
      open
      onOpenChange={(open) => open || onClose()}
      title={texts.title}
      description={texts.hint}
      confirmLabel={texts.confirm}
      onConfirm={() => {
        onClose()
        onConfirm()
      }}
    />
  )
}
