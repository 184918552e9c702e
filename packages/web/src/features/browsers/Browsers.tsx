import { lazy, Suspense, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { type Client, isCallError, type ShownBrowsers } from '@privity/client'
import { ConfirmAction } from '../../app/ConfirmAction.tsx'
import { QueryError } from '../../app/QueryError.tsx'
import { sessionEnd } from '../../app/session.ts'
import { useDateTime } from '../../i18n/dateTime.ts'
import { deviceName } from '../../i18n/names.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Skeleton } from '../../ui/feedback/Progress.tsx'
import { SettingRow, SwitchRow } from '../../ui/section/Section.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { browsersQuery, useLiveBrowsers } from './queries.ts'
import { browsersTexts as texts } from './texts.ts'
import { CodeLoading } from '../../app/useWanted.ts'
import '../../ui/badge/badge.css'
import './browsers.css'

const ApproveOther = lazy(async () => ({ default: (await import('./ApproveOther.tsx')).ApproveOther }))
const ApproveOwn = lazy(async () => ({ default: (await import('./ApproveOwn.tsx')).ApproveOwn }))

type Shown = ShownBrowsers['browsers'][number]

/** The member's browsers, and the mode "Only approved browsers". */
export function Browsers({ client }: { client: Client }) {
  const list = useQuery(browsersQuery(client))
  useLiveBrowsers(client)
  const shown = list.data
  if (!shown) return list.error ? <QueryError query={list} fallback={texts.retry} /> : <Skeleton height={64} />
  const { onlyApproved, isModeRequired, browsers } = shown
  const own = browsers.find(({ isCurrent }) => isCurrent)
  const isApproved = own?.isApproved === true
  return (
    <>
      <Mode client={client} onlyApproved={onlyApproved} isRequired={isModeRequired} isApproved={isApproved} />
      {onlyApproved && !isApproved && <OwnApproval client={client} />}
      <ul aria-label={texts.list}>
        {browsers.map((browser) => (
          <BrowserRow
            key={browser.entry.browserId}
            client={client}
            browser={browser}
            canApprove={onlyApproved && isApproved}
            canRemove={own?.canRemove === true}
          />
        ))}
      </ul>
    </>
  )
}

interface ModeProps {
  client: Client
  onlyApproved: boolean
  isRequired: boolean
  isApproved: boolean
}

function Mode({ client, onlyApproved, isRequired, isApproved }: ModeProps) {
  const { mode } = texts
  const reason = isRequired ? mode.required : isApproved ? undefined : mode.unapproved
  const [asking, setAsking] = useState(false)
  /** The mode that the question is about: the list shows the new one before the call has returned. */
  const [next, setNext] = useState(false)
  const words = next
    ? { title: mode.askOn, description: mode.askOnWhy, confirmLabel: mode.on, tone: 'primary' as const }
    : { title: mode.askOff, description: mode.askOffWhy, confirmLabel: mode.off }
  const done = next
    ? { title: mode.doneOn, description: mode.doneOnWhy }
    : { title: mode.doneOff, description: mode.doneOffWhy }
  return (
    <>
      <SwitchRow
        label={mode.label}
        hint={reason === undefined ? mode.hint : `${mode.hint} ${reason}`}
        disabled={reason !== undefined}
        checked={onlyApproved}
        onChange={(on) => {
          setNext(on)
          setAsking(true)
        }}
      />
      <ConfirmAction
        open={asking}
        {...words}
        busyLabel={mode.busy}
        act={() => client.browsers.setOnlyApproved(next)}
        onSuccess={() => toast(done)}
        failed={texts.error}
        failedHint={texts.fallback}
        onClose={() => setAsking(false)}
      />
    </>
  )
}

function OwnApproval({ client }: { client: Client }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <SettingRow
        label={texts.own.label}
        hint={texts.own.hint}
        control={<Button onClick={() => setOpen(true)}>{texts.own.open}</Button>}
      />
      {open && (
        <Suspense fallback={<CodeLoading />}>
          <ApproveOwn client={client} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}

interface BrowserRowProps {
  client: Client
  browser: Shown
  /** Whether this browser may approve others. */
  canApprove: boolean
  /** Whether this browser may remove others. */
  canRemove: boolean
}

function BrowserRow({ client, browser, canApprove, canRemove }: BrowserRowProps) {
  const { formatDate, formatTime } = useDateTime()
  const at = (ms: number) => [formatDate(ms), formatTime(ms)] as const
  const [dialog, setDialog] = useState<'approve' | 'remove'>()
  const { entry, isCurrent, sharesSession, firstUsedAt, lastUsedAt, approval } = browser
  const { used, why, shared } = texts.remove
  const removal = [used(...at(firstUsedAt)), why, ...(sharesSession ? [shared] : [])].join(' ')
  const { browserId } = entry
  const device = deviceName(browser.name)
  const close = () => setDialog(undefined)
  async function remove() {
    if (sharesSession) sessionEnd.set('browser_removed')
    try {
      await client.browsers.remove(browserId)
    } catch (error) {
      // The browser is removed, and this session with it.
      if (sharesSession && isCallError(error, 'NOT_SIGNED_IN')) return
      if (sharesSession) sessionEnd.set(undefined)
      throw error
    }
  }
  return (
    <li className="set-row">
      <div>
        <b className="browser-name">
          {device}
          {isCurrent && <span className="badge badge-success">{texts.current}</span>}
          {!browser.isApproved && <span className="badge badge-warning">{texts.notApproved}</span>}
        </b>
        <span className="d">{texts.first(...at(firstUsedAt))}</span>
        {!isCurrent && <span className="d">{texts.used(...at(lastUsedAt))}</span>}
      </div>
      {!isCurrent && canRemove && (
        <div className="browser-acts">
          {canApprove && approval && (
            <Button variant="primary" aria-label={texts.approve.of(device)} onClick={() => setDialog('approve')}>
              {texts.approve.label}
            </Button>
          )}
          <Button aria-label={texts.remove.of(device)} onClick={() => setDialog('remove')}>
            {texts.remove.label}
          </Button>
        </div>
      )}
      {dialog === 'approve' && (
        <Suspense fallback={<CodeLoading />}>
          <ApproveOther
            client={client}
            browserId={browserId}
            description={texts.approve.why(device, ...at(firstUsedAt))}
            onClose={close}
          />
        </Suspense>
      )}
      <ConfirmAction
        open={dialog === 'remove'}
        title={texts.remove.ask(device)}
        description={removal}
        confirmLabel={texts.remove.label}
        busyLabel={texts.remove.busy}
        act={remove}
        onSuccess={() => sharesSession || toast({ title: texts.remove.done, description: texts.remove.doneWhy })}
        failed={texts.error}
        failedHint={texts.fallback}
        onClose={close}
      />
    </li>
  )
}
