import { useId } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { OrganizationPolicy } from '@privity/contract/organization'
import { sentenceOf } from '../../core/callError.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { SettingRow } from '../../ui/SettingRow.tsx'
import { AfterDelay, Skeleton } from '../../ui/Skeleton.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { AllowedDomains } from './AllowedDomains.tsx'
import { policyQuery } from './queries.ts'
import { organizationTexts } from './texts.ts'
import { useSetPolicy } from './usePolicy.ts'

const switches = ['twoFactor', 'screenshotProtection', 'watermark', 'sessionTimeout'] as const

/** What the organization asks of all its members. */
export function PolicySettings({ client }: { client: Client }) {
  const texts = organizationTexts.policy
  const policy = useQuery(policyQuery(client))
  const { mutate } = useSetPolicy(client)
  return (
    <Panel title={texts.title}>
      <p className="adm-lead">{texts.lead}</p>
      {policy.isError && (
        <ErrorState
          message={`${texts.notLoaded} ${sentenceOf(policy.error, '')}`}
          busy={policy.isFetching}
          onRetry={() => void policy.refetch()}
        />
      )}
      {policy.isPending && (
        <AfterDelay>
          <Skeleton height={200} />
        </AfterDelay>
      )}
      {policy.data &&
        switches.map((name) => (
          <PolicySwitch key={name} name={name} on={policy.data[name]} onChange={(on) => mutate({ [name]: on })} />
        ))}
      {policy.data && <AllowedDomains client={client} domains={policy.data.allowedEmailDomains} />}
    </Panel>
  )
}

interface PolicySwitchProps {
  name: Extract<keyof OrganizationPolicy, keyof typeof organizationTexts.policy.switches>
  on: boolean
  onChange: (on: boolean) => void
}

function PolicySwitch({ name, on, onChange }: PolicySwitchProps) {
  const id = useId()
  const { label, hint } = organizationTexts.policy.switches[name]
  return (
    <SettingRow
      label={label}
      hint={<span id={id}>{hint}</span>}
      control={<Switch label={label} describedBy={id} checked={on} onChange={onChange} />}
    />
  )
}
