import { type ReactNode, useCallback, useEffect, useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import type { Client, DecryptedMessage, Trust } from '@privity/client'
import type { Connection, Participant } from '@privity/contract/connections'
import type { User } from '@privity/contract/session'
import { usePreferencesLoad } from '../../app/preferences/preferences.ts'
import { fullName } from '../../i18n/names.ts'
import { onMessageExpired } from '../../app/useClientEvents.ts'
import { Watermark } from '../../features/deterrents/Watermark.tsx'
import { FileMessageRow } from '../../features/files/message/FileMessageRow.tsx'
import { shareFiles } from '../../features/files/upload/uploadQueue.ts'
import { Uploads, useOutgoingFiles } from '../../features/files/upload/Uploads.tsx'
import { useApproval } from '../../features/files/upload/useApproval.ts'
import { UploadButton } from '../../features/files/upload/UploadButton.tsx'
import { useFileDrop, DropTarget } from '../../features/files/upload/DropTarget.tsx'
import { Composer } from '../../features/messages/composer/Composer.tsx'
import { Conversation } from '../../features/messages/conversation/Conversation.tsx'
import { MessagesNotLoaded } from '../../features/messages/conversation/UnloadedMessages.tsx'
import { trustQuery } from '../../features/trust/queries.ts'
import { Assurances } from './Assurances.tsx'
import { ChatHeader } from './ChatHeader.tsx'
import { useFind } from './useFind.ts'
import { useFocusReturn } from './useFocus.ts'
import { otherParty } from '../../features/connections/queries.ts'
import { messageTexts } from '../../features/messages/texts.ts'
import { PausedAlert, KeyChangedAlert, QuestionAlert } from '../../features/trust/TrustAlerts.tsx'
import { useOpened } from './useOpened.ts'

const loadFindBar = () => import('../../features/messages/find/FindBar.tsx')
const loadReport = () => import('../../features/messageReport/ReportMessage.tsx')
const loadSheet = () => import('../../features/trust/safetyNumber/SafetySheet.tsx')

interface ChatPaneProps {
  heading: ReactNode
  client: Client
  user: User
  connection: Connection
  sheetOpen: boolean
  onPhone: boolean
  onBack: () => void
  onInfo: () => void
  onSheetClose: () => void
  onReview: () => void
}

/** An open conversation; combines messages, files, the connection and its trust state. */
export function ChatPane(props: ChatPaneProps) {
  const { heading, client, user, connection, sheetOpen, onPhone, onBack, onInfo, onSheetClose, onReview } = props
  const { id } = connection
  const party = otherParty(connection, user.id)
  const { firstName } = party
  const watermark = usePreferencesLoad().data?.policy.watermark
  const other = useMemo(() => ({ id: party.id, name: fullName(party), firstName: party.firstName }), [party])
  const trust = useQuery(trustQuery(client, id)).data
  const { transfers, waiting, messageIds } = useOutgoingFiles(client, id)
  const [reported, setReported] = useState<DecryptedMessage>()
  useEffect(() => reported && onMessageExpired(client, reported, () => setReported(undefined)), [client, reported])
  // In a window too low for the chat the page scrolls: begin at the composer.
  useEffect(() => {
    scrollTo({ top: document.documentElement.scrollHeight })
  }, [id])
  const ReportMessage = useOpened(loadReport, reported !== undefined, () => setReported(undefined))?.ReportMessage
  const find = useFind(id)
  const FindBar = useOpened(loadFindBar, find.isOpen, find.close)?.FindBar
  const SafetySheet = useOpened(loadSheet, sheetOpen, onSheetClose)?.SafetySheet
  useFocusReturn(SafetySheet !== undefined)
  const stopped = !party.available || trust?.state === 'changed' || trust?.paused === true || !!trust?.question
  const absence = trust?.absence
  // An upload is not kept for as long as they may stay away.
  const noFiles = stopped || absence?.canReceive === false

  const approval = useApproval(id, firstName)
  const share = (files: readonly File[]) => shareFiles(client, id, files, approval.isOn)
  const { over, handlers } = useFileDrop(share, noFiles)
  const backdrop = useMemo(
    () => watermark && <Watermark client={client} username={user.username} />,
    [watermark, client, user.username],
  )
  const fileRow = useCallback(
    (message: DecryptedMessage) => (
      <FileMessageRow
        client={client}
        message={message}
        recipient={firstName}
        onReview={onReview}
        onReviewKey={onInfo}
        watermark={backdrop}
      />
    ),
    [client, firstName, onReview, onInfo, backdrop],
  )

  return (
    <>
      <main className="chat" id="main" tabIndex={-1} inert={onPhone && SafetySheet !== undefined} {...handlers}>
        {heading}
        <div>
          <ChatHeader
            client={client}
            connection={connection}
            party={party}
            trust={trust}
            isSheetOpen={SafetySheet !== undefined}
            isSheetLoading={sheetOpen && !SafetySheet}
            isSearched={FindBar !== undefined}
            onBack={onBack}
            onInfo={onInfo}
            onSearch={find.isOpen ? find.close : find.open}
          />
          {FindBar && <FindBar key={id} client={client} connectionId={id} onClose={find.close} />}
        </div>
        <Conversation
          key={id}
          client={client}
          connectionId={id}
          other={other}
          fileRow={fileRow}
          onReport={setReported}
          inTransfer={messageIds}
          transfers={
            transfers.length + waiting.length > 0 && <Uploads client={client} transfers={transfers} waiting={waiting} />
          }
          isSearched={find.isOpen}
          backdrop={backdrop}
        />
        <Composer
          key={`composer ${id}`}
          client={client}
          connectionId={id}
          other={other}
          notice={<MessagesNotLoaded client={client} connectionId={id} />}
          blocked={
            stopped && <SendingNotice client={client} connectionId={id} party={party} trust={trust} onInfo={onInfo} />
          }
          absence={absence}
          upload={<UploadButton disabled={noFiles} approval={approval} onFiles={share} />}
        />
        <Assurances />
        {reported && ReportMessage && (
          <ReportMessage
            client={client}
            message={reported}
            firstName={firstName}
            onClose={() => setReported(undefined)}
          />
        )}
        {over && <DropTarget approval={approval} />}
      </main>
      {SafetySheet && (
        <SafetySheet
          key={id}
          client={client}
          connectionId={id}
          connectedAt={connection.connectedAt}
          own={user}
          other={party}
          onClose={onSheetClose}
        />
      )}
    </>
  )
}

interface SendingNoticeProps {
  client: Client
  connectionId: string
  party: Participant
  trust: Trust | undefined
  onInfo: () => void
}

/** Why nothing can be sent in this conversation, the most serious reason first. */
function SendingNotice({ client, connectionId, party, trust, onInfo }: SendingNoticeProps) {
  const { firstName } = party
  if (trust?.state === 'changed') return <KeyChangedAlert firstName={firstName} onReview={onInfo} />
  if (trust?.paused) return <PausedAlert client={client} connectionId={connectionId} firstName={firstName} />
  if (trust?.question)
    return (
      <QuestionAlert
        client={client}
        connectionId={connectionId}
        firstName={firstName}
        question={trust.question}
        onCompare={onInfo}
      />
    )
  return (
    <div className="alert alert-line" role="status">
      <CircleAlert className="ic" />
      <span>{messageTexts.unavailable(firstName)}</span>
    </div>
  )
}
