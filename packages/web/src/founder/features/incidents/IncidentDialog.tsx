import type { Incident } from '@privity/contract/founder/incidents'
import { useId } from 'react'
import { ScrollText } from 'lucide-react'
import { machineTime } from '../../../i18n/dateTime.ts'
import { formatNumber } from '../../../i18n/language.ts'
import { everyMinute } from '../../../browser/useMinuteTick.ts'
import { useStore } from '../../../ui/useStore.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { SeverityBadge } from '../../../ui/badge/SeverityBadge.tsx'
import { formatDateTime } from '../../console/values.tsx'
import { Fact } from '../../../ui/panel/Fact.tsx'
import { Acknowledgement } from './Acknowledgement.tsx'
import { eventCountText, recommendedActions, remainingText, userText } from './incidentText.ts'
import { incidentTexts } from './texts.ts'

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
  const { type, severity, description, firstSeen, lastSeen, affectedUsers, affectedIPs } = incident
  return (
    <div className="inc-facts">
      <dl className="dl">
        <Fact label={texts.type}>{incidentTexts.types[type]}</Fact>
        <Fact label={texts.severity}>
          <SeverityBadge severity={severity} label={incidentTexts.severities[severity]} />
        </Fact>
        <Fact label={texts.events}>{eventCountText(incident)}</Fact>
        <Fact label={texts.window}>
          <time dateTime={machineTime(firstSeen)}>{formatDateTime(firstSeen)}</time> {texts.to}{' '}
          <time dateTime={machineTime(lastSeen)}>{formatDateTime(lastSeen)}</time>
        </Fact>
        <Fact label={texts.remaining}>{remainingText(lastSeen, Date.now())}</Fact>
        <Fact label={texts.description}>{description}</Fact>
      </dl>
      <Affected
        title={texts.users}
        none={texts.noUsers}
        names={affectedUsers.map((user) => [user.id, userText(user)])}
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
