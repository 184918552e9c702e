import { useState } from 'react'
import type { Client } from '@privity/client'
import type { Policy } from '@privity/contract/preferences'
import type { SecondFactorState } from '@privity/contract/secondFactor'
import type { User } from '@privity/contract/session'
import { formatDate } from '../../i18n/dateTime.ts'
import { usePreferences } from '../../app/preferences/preferences.ts'
import { useClient, useUser } from '../../app/session.ts'
import { useSecondFactor } from '../../app/secondFactor/ownFactors.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Section, SettingRow, SwitchRow } from '../../ui/section/Section.tsx'
import { AfterDelay, Spinner } from '../../ui/feedback/Progress.tsx'
import { FactorDialog, type FactorTask } from './FactorDialog.tsx'
import { secondFactorTexts as texts, secondFactorTexts } from './texts.ts'
import { QueryError } from '../../app/QueryError.tsx'
import '../../app/secondFactor/secondFactor.css'

/** All settings of two-factor authentication, for the privacy and security page. */
export function SecondFactorSection() {
  const client = useClient()
  const user = useUser()
  const factors = useSecondFactor(client)
  const { data: state, isPending } = factors
  return (
    <Section title={texts.title} lead={texts.lead}>
      {isPending && (
        <AfterDelay>
          <p className="row muted" role="status">
            <Spinner />
            {texts.loading}
          </p>
        </AfterDelay>
      )}
      {!state && <QueryError query={factors} title={texts.notLoaded} />}
      {state && <Factors client={client} user={user} state={state} />}
    </Section>
  )
}

/** Names the organization's requirement, also before the day from which it holds. */
export function Requirement({ policy: { twoFactor, twoFactorFrom } }: { policy: Policy }) {
  if (!twoFactor && twoFactorFrom === 0) return null
  const text = twoFactor ? texts.byOrganization : texts.byOrganizationFrom(formatDate(twoFactorFrom))
  return <b className="set-by">{text}</b>
}

function Factors({ client, user, state }: { client: Client; user: User; state: SecondFactorState }) {
  const [task, setTask] = useState<FactorTask>()
  const { policy } = usePreferences()
  const required = policy.twoFactor
  const { on, totp, passkeys, passkeysHere, recoveryCodesLeft } = state
  const isLast = required && totp === null && passkeys.length === 1
  const appStays = required && passkeys.length === 0
  const appSince = (date: string) => [texts.app.since(date), ...(appStays ? [texts.app.kept] : [])].join(' ')
  return (
    <>
      <SwitchRow
        id="twoFactor"
        label={texts.toggle}
        hint={
          <>
            {on ? texts.on : texts.off}
            <Requirement policy={policy} />
          </>
        }
        checked={on}
        disabled={on && required}
        onChange={() => setTask({ kind: on ? 'switchOff' : 'setUpApp' })}
      />
      <SettingRow
        label={texts.app.label}
        hint={totp === null ? texts.app.none : appSince(formatDate(totp.since))}
        control={
          totp === null ? (
            <Button size="sm" onClick={() => setTask({ kind: 'setUpApp' })}>
              {texts.app.setUp}
            </Button>
          ) : (
            <div className="row">
              <Button size="sm" aria-label={texts.app.replaceNamed} onClick={() => setTask({ kind: 'replaceApp' })}>
                {texts.app.replace}
              </Button>
              {!appStays && (
                <Button size="sm" aria-label={texts.app.removeNamed} onClick={() => setTask({ kind: 'removeApp' })}>
                  {texts.app.remove}
                </Button>
              )}
            </div>
          )
        }
      />
      <SettingRow
        label={texts.passkeys.label}
        hint={passkeysHere === 'possible' ? texts.passkeys.hint : texts.passkeys[passkeysHere]}
        control={
          passkeysHere === 'possible' && (
            <Button size="sm" onClick={() => setTask({ kind: 'addPasskey' })}>
              {texts.passkeys.add}
            </Button>
          )
        }
      />
      {passkeys.length > 0 && (
        <ul className="factor-list" aria-label={texts.passkeys.list}>
          {passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              stays={isLast}
              onRemove={() => setTask({ kind: 'removePasskey', id: passkey.id, name: passkey.name })}
            />
          ))}
        </ul>
      )}
      {on && (
        <SettingRow
          label={texts.codes.label}
          hint={texts.codes.left(recoveryCodesLeft)}
          control={
            <Button size="sm" onClick={() => setTask({ kind: 'renew' })}>
              {texts.codes.renew}
            </Button>
          }
        />
      )}
      {task && (
        <FactorDialog
          client={client}
          username={user.username}
          state={state}
          task={task}
          onClose={() => setTask(undefined)}
        />
      )}
    </>
  )
}

interface PasskeyRowProps {
  passkey: SecondFactorState['passkeys'][number]
  /** The last factor cannot be removed while the organization requires one. */
  stays: boolean
  onRemove: () => void
}

function PasskeyRow({ passkey, stays, onRemove }: PasskeyRowProps) {
  const texts = secondFactorTexts.passkeys
  const { name, createdAt, lastUsedAt, usable } = passkey
  const facts = [
    texts.added(formatDate(createdAt)),
    lastUsedAt === null ? texts.unused : texts.used(formatDate(lastUsedAt)),
    ...(usable ? [] : [texts.elsewhere]),
  ]
  return (
    <li>
      <SettingRow
        label={name}
        hint={facts.join(' · ')}
        control={
          !stays && (
            <Button size="sm" aria-label={texts.removeNamed(name)} onClick={onRemove}>
              {texts.remove}
            </Button>
          )
        }
      />
    </li>
  )
}
