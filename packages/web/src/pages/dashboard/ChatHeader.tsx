import { ArrowLeft, Info, Lock, Phone, Search, Video } from 'lucide-react'
import type { Client } from '@privity/client'
import type { Connection, Participant } from '@privity/contract/connections'
import { phone, useMediaQuery } from '../../browser/mediaQueries.ts'
import { useStore } from '../../ui/useStore.ts'
import { fullName } from '../../i18n/names.ts'
import { LifetimeButton } from '../../features/connections/lifetime/LifetimeButton.tsx'
import { NamedSeal, SealWithWord, sealClass, type SealState } from '../../features/trust/Seal.tsx'
import { Avatar } from '../../ui/avatar/Avatar.tsx'
import { Button } from '../../ui/button/Button.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { LazyTooltip } from '../../ui/overlay/LazyTooltip.tsx'
import { memberTexts, dashboardTexts as texts } from '../texts.ts'
import { findButtonId } from './useFind.ts'
import './chatHeader.css'
import '../../ui/badge/badge.css'

interface ChatHeaderProps {
  client: Client
  connection: Connection
  party: Participant
  /** Undefined until loaded. */
  trust: { state: SealState } | undefined
  isSheetOpen: boolean
  isSheetLoading: boolean
  isSearched: boolean
  onBack: () => void
  onInfo: () => void
  onSearch: () => void
}

function explain(title: string) {
  toast({ title, description: texts.noCallsHint, tone: 'info' })
}

export function ChatHeader(props: ChatHeaderProps) {
  const { client, connection, party, trust, isSheetOpen, isSheetLoading, isSearched, onBack, onInfo, onSearch } = props
  // Presence is unknown while this client is disconnected.
  const isConnected = useStore(client.live) === 'connected'
  const online = isConnected && party.online
  return (
    <header className="chat-h" data-keep-clear="">
      <Button variant="ghost" icon className="back" aria-label={texts.back} onClick={onBack}>
        <ArrowLeft className="ic ic-lg" />
      </Button>
      <Avatar firstName={party.firstName} lastName={party.lastName}>
        {online && <span className="dot show-s" />}
      </Avatar>
      <div className="who">
        <div className="row">
          <h2 className="trunc" dir="auto">
            {fullName(party)}
          </h2>
          {online && (
            <span className="status status-success online-t">
              <span className="dot dot-success" aria-hidden="true" />
              {texts.online}
            </span>
          )}
        </div>
        <div className="row chat-facts">
          <span className="row nowrap enc">
            <Lock className="ic ic-sm" />
            <span className="trunc">{texts.encrypted}</span>
          </span>
          <LifetimeButton client={client} connection={connection} />
          {trust && (
            <span className={`${sealClass[trust.state]} show-s`}>
              <NamedSeal state={trust.state} />
            </span>
          )}
          {!isConnected && (
            // On phones, where the chat hides the top bar.
            <span className="status muted chat-lost show-s">
              <span className="dot dot-off" aria-hidden="true" />
              {memberTexts.disconnected}
            </span>
          )}
          {trust && (
            <button type="button" className={`${sealClass[trust.state]} hide-s`} onClick={onInfo}>
              <SealWithWord state={trust.state} />
            </button>
          )}
        </div>
      </div>
      <div className="acts">
        <LazyTooltip text={`${texts.find} (${texts.findShortcut})`}>
          <Button
            variant="ghost"
            icon
            id={findButtonId}
            aria-label={texts.find}
            aria-keyshortcuts="Control+Shift+F"
            aria-expanded={isSearched}
            onClick={onSearch}
          >
            <Search className="ic ic-md" />
          </Button>
        </LazyTooltip>
        <CallButtons />
        <LazyTooltip text={texts.info}>
          <Button
            variant="ghost"
            icon
            id="chat-info"
            aria-label={texts.info}
            aria-expanded={isSheetOpen}
            busy={isSheetLoading}
            onClick={onInfo}
          >
            <Info className="ic ic-lg" />
          </Button>
        </LazyTooltip>
      </div>
    </header>
  )
}

/** Until there are calls, the buttons say so; on a phone one stands for both, so that the name has room. */
function CallButtons() {
  const onPhone = useMediaQuery(phone)
  const calls = onPhone
    ? [{ Icon: Phone, label: texts.calls, why: texts.noCalls }]
    : [
        { Icon: Video, label: texts.video, why: texts.noVideo },
        { Icon: Phone, label: texts.voice, why: texts.noVoice },
      ]
  return calls.map(({ Icon, label, why }) => (
    <LazyTooltip key={label} text={why}>
      <Button variant="ghost" icon aria-label={label} onClick={() => explain(why)}>
        <Icon className="ic ic-md" />
      </Button>
    </LazyTooltip>
  ))
}
