import { TriangleAlert } from 'lucide-react'
import type { Trust, Client } from '@privity/client'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { sealClass, SealGlyph, SealWithWord } from '../Seal.tsx'
import { Fact } from '../../../ui/panel/Fact.tsx'
import { QrCode } from '../../../ui/indicator/QrCode.tsx'
import { trustTexts } from '../texts.ts'
import { safetyNumberTexts as texts } from './texts.ts'
import { copyableText } from '../../../browser/clipboard.ts'
import { Avatar } from '../../../ui/avatar/Avatar.tsx'
import { classes } from '../../../ui/classes.ts'
import { Cut, cutShapes } from '../../../ui/cut/Cut.tsx'
import '../seal.css'
import '../../../ui/panel/panel.css'
import './safetyNumber.css'

interface Person {
  firstName: string
  lastName: string
}

export interface SafetySheetProps {
  client: Client
  connectionId: string
  connectedAt: number
  own: Person
  other: Person
  onClose: () => void
}

type SafetyNumberProps = Pick<SafetySheetProps, 'connectedAt' | 'own' | 'other'> & { trust: Trust }

export function SafetyNumber({ connectedAt, own, other, trust }: SafetyNumberProps) {
  const { formatDate } = useDateTime()
  const { state, safetyNumber, confirmedByFormer } = trust
  const verified = state === 'verified'
  return (
    <>
      <Halves
        digits={safetyNumber}
        own={{ ...own, note: texts.you }}
        other={{ ...other, note: texts.connectedOn(formatDate(connectedAt)) }}
        closed={verified}
      />
      {verified ? (
        <div className="alert alert-success" role="status">
          <SealGlyph state="verified" />
          <div>
            <b>{texts.verifiedAlert}</b> {texts.verifiedHint}
          </div>
        </div>
      ) : (
        <div>
          <span className={sealClass[state]}>
            <SealWithWord state={state} />
          </span>
          {state === 'linked' && <p className="hint">{texts.linkedHint}</p>}
        </div>
      )}
      {state === 'changed' && (
        <div className="alert alert-critical">
          <TriangleAlert className="ic" />
          <div>
            <b>{trustTexts.changedAlert(other.firstName)}</b> {texts.changedExplained(other.firstName)}
            <p>
              <b>{confirmedByFormer ? texts.confirmed : texts.notConfirmed}</b>{' '}
              {confirmedByFormer ? texts.confirmedWhy(other.firstName) : texts.notConfirmedWhy(other.firstName)}
            </p>
          </div>
        </div>
      )}
      <Digits safetyNumber={safetyNumber} />
      {verified ? (
        <dl className="dl">
          <Fact label={texts.verifiedBy}>{texts.verifiedByYou}</Fact>
          <Fact label={texts.encryption}>{texts.encryptionValue}</Fact>
        </dl>
      ) : (
        <Steps firstName={other.firstName} changed={state === 'changed'} />
      )}
      <figure className="qr">
        <QrCode data={safetyNumber} name={texts.qrName} />
        <figcaption>
          {texts.qrHint} {texts.visualAid}
        </figcaption>
      </figure>
    </>
  )
}

function Steps({ firstName, changed }: { firstName: string; changed: boolean }) {
  const steps = texts.steps(firstName)
  return (
    <ol className="steps">
      <li>
        <span>
          {steps.call} <b>{steps.notByEmail}</b>
        </span>
      </li>
      <li>
        <span>{steps.read}</span>
      </li>
      <li>
        <span>{changed ? steps.accept : steps.mark}</span>
      </li>
    </ol>
  )
}

function Digits({ safetyNumber }: { safetyNumber: string }) {
  const groups = digitGroups(safetyNumber)
  return (
    <ol className="digits" aria-label={texts.title} {...copyableText}>
      {groups.map((group, i) => (
        <li key={`${i}${group}`}>
          <span className="sr">{Array.from(group).join(' ')}</span>
          <span aria-hidden="true">{group}</span>
        </li>
      ))}
    </ol>
  )
}

/** Splits sixty digits into twelve groups of five. */
export function digitGroups(safetyNumber: string): string[] {
  return safetyNumber.match(/\d{5}/g) ?? []
}

/** Three rows of four groups, for pasting or reading aloud. */
export function digitRows(safetyNumber: string): string {
  const groups = digitGroups(safetyNumber)
  return [0, 4, 8].map((from) => groups.slice(from, from + 4).join(' ')).join('\n')
}

interface Half extends Person {
  note: string
}

/** The two participants as halves along the cut of their safety number; joined once verified. */
function Halves({ digits, own, other, closed }: { digits: string; own: Half; other: Half; closed: boolean }) {
  const cut = <Cut className="cutfill" digits={digits} shape={cutShapes.safety} length={720} depth={22} />
  return (
    <div className={classes('halves', closed && 'closed')}>
      <div className="half half-a">
        <HalfText {...own} />
        {cut}
      </div>
      <div className="half half-b">
        {cut}
        <div className="body">
          <HalfText {...other} />
        </div>
      </div>
    </div>
  )
}

function HalfText({ firstName, lastName, note }: Half) {
  return (
    <>
      <Avatar firstName={firstName} lastName={lastName} />
      <div>
        <b dir="auto">{`${firstName} ${lastName}`}</b>
        <span className="sub">{note}</span>
      </div>
    </>
  )
}
