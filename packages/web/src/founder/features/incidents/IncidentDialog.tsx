import type { Incident } from '@privity/contract/founder/incidents'
import { useId } from 'react'
import { ScrollText } from 'lucide-react'
import { machineTime, useDateTime } from '../../../i18n/dateTime.ts'
import { formatNumber } from '../../../i18n/language.ts'
import { everyMinute } from '../../../browser/useMinuteTick.ts'
import { useStore } from '../../../ui/useStore.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { SeverityBadge } from '../../../ui/badge/SeverityBadge.tsx'
import { Acknowledgement } from './Acknowledgement.tsx'
import { recommendedActions } from './recommendedActions.ts'
import { incidentTexts } from './texts.ts'
import { timeRemaining } from './timeRemaining.ts'
import { eventWords, userWords } from './words.ts'
import '../../../ui/panel/facts.css'

interface IncidentDialogProps {
  /** The investigated incident; undefined keeps the dialog closed. */
  incident: Incident | undefined
  onClose: () => void
  onRelated: (incident: Incident) => void
  /** Passed to Dialog. */
  onClosed: (event: Event) => void
}

/** All facts about an incident, with recommended actions. */
export function IncidentDialog({ incident, onClose, onRelated, onClosed }: IncidentDialogProps) {
  const texts = incidentTexts.dialog
  return (
    <Dialog
      open={incident !== undefined}
      onOpenChange={(open) => open || onClose()}
      title={texts.title}
      size="lg"
      onClosed={onClosed}
      footer={
        incident && (
          <>
            <Button onClick={() => onRelated(incident)}>
              <ScrollText className="ic" />
              {texts.related}
            </Button>
            <Button onClick={onClose}>{texts.close}</Button>
          </>
        )
      }
    >
      {incident && <Investigation incident={incident} />}
    </Dialog>
  )
}

export function Investigation({ incident }: { incident: Incident }) {
  const texts = incidentTexts.dialog
  useStore(everyMinute)
  const { formatDate, formatTime } = useDateTime()
  const time = (ms: number) => <time dateTime={machineTime(ms)}>{`${formatDate(ms)}, ${formatTime(ms)}`}</time>
  const { type, severity, description, firstSeen, lastSeen, affectedUsers, affectedIPs } = incident
  const facts = [
    [texts.type, incidentTexts.types[type]],
    [texts.severity, <SeverityBadge key="" severity={severity} label={incidentTexts.severities[severity]} />],
    [texts.events, eventWords(incident)],
    [
      texts.window,
      <span key="">
        {time(firstSeen)} {texts.to} {time(lastSeen)}
      </span>,
    ],
    [texts.remaining, timeRemaining(lastSeen, Date.now())],
    [texts.description, description],
  ] as const
  return (
    <div className="inc-facts">
      <dl className="dl">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Affected
        title={texts.users}
        none={texts.noUsers}
        names={affectedUsers.map((user) => [user.id, userWords(user)])}
        count={incident.affectedUserCount}
      />
      <Affected
        title={texts.addresses}
        none={texts.noAddresses}
        names={affectedIPs.map((address) => [address, address])}
        count={incident.affectedIPCount}
        code
      />
      <Acknowledgement key={incident.id} incident={incident} />
      <section>
        <h3>{texts.actions}</h3>
        <ul className="inc-actions">
          {recommendedActions(incident).map((action) => (
            <li key={action}>{action}</li>
          ))}
        </ul>
      </section>
    </div>
  )
}

interface AffectedProps {
  title: string
  /** Shown if there are none. */
  none: string
  names: readonly (readonly [key: string, name: string])[]
  /** Total number, including those not listed. */
  count: number
  code?: boolean
}

function Affected({ title, none, names, count, code = false }: AffectedProps) {
  const id = useId()
  return (
    <section>
      <h3 id={id}>{title}</h3>
      {names.length === 0 ? (
        <p className="muted">{none}</p>
      ) : (
        <ul className="inc-names" aria-labelledby={id}>
          {names.map(([key, name]) => (
            <li key={key} className={code ? 'mono' : undefined}>
              {name}
            </li>
          ))}
          {count > names.length && (
            <li className="muted">{incidentTexts.dialog.more(formatNumber(count - names.length))}</li>
          )}
        </ul>
      )}
    </section>
  )
}
