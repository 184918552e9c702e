import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { ArrowDown, CircleAlert } from 'lucide-react'
import { type Client, confirmedMessages, type DecryptedMessage } from '@privity/client'
import { fingers, useMediaQuery } from '../../../browser/mediaQueries.ts'
import { usePreferences } from '../../../app/preferences/preferences.ts'
import { loadLater } from '../../../ui/lazy.ts'
import { useStore } from '../../../ui/useStore.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { classes } from '../../../ui/classes.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { pendingConversations } from '../pendingMessages.ts'
import { MessageRow } from '../message/MessageRow.tsx'
import { hasActions } from '../menu/messageActions.ts'
import { NewMessageAnnouncer } from './NewMessageAnnouncer.tsx'
import { PendingMessages } from './UnloadedMessages.tsx'
import { OutboxRow } from '../message/OutboxRow.tsx'
import { isUnreadHere } from '../delivery.ts'
import { withoutOldest } from '../history.ts'
import { historyQuery, patchHistory, progressQuery } from '../queries.ts'
import { messageTexts as texts } from '../texts.ts'
import { placeEntries, conversationEntries, shownDelivery } from './timeline.ts'
import { useExpiryFade } from '../message/useExpiryFade.ts'
import { useMarkRead } from './useMarkRead.ts'
import { useLinkQuestion } from '../link/useLinkQuestion.ts'
import { useMessageMenu } from '../menu/useMessageMenu.ts'
import { useOlderMessages } from './useOlderMessages.ts'
import { useStickToNewest } from './useStickToNewest.ts'
import { useUnreadAtOpening } from './useUnreadAtOpening.ts'
import { AfterDelay, Skeleton } from '../../../ui/feedback/Progress.tsx'
import { daysBetween, useDateTime } from '../../../i18n/dateTime.ts'
import { everyMinute } from '../../../browser/useMinuteTick.ts'
import { QueryError } from '../../../app/QueryError.tsx'
import { toastError } from '../../../app/callError.ts'
import { CodeLoading } from '../../../app/useWanted.ts'
import './conversation.css'

const menuCode = loadLater(async () => (await import('../menu/MessageMenu.tsx')).MessageMenu)
const DeleteMessage = lazy(async () => ({ default: (await import('../menu/DeleteMessage.tsx')).DeleteMessage }))
const LinkQuestion = lazy(async () => ({
  default: (await import('../link/LinkQuestion.tsx')).LinkQuestion,
}))

export interface Correspondent {
  id: string
  name: string
  firstName: string
}

interface ConversationProps {
  client: Client
  connectionId: string
  other: Correspondent
  /** Must be a stable function: the memoized rows render again if it changes. */
  fileRow: (message: DecryptedMessage) => ReactNode
  /** Must be a stable function, too. */
  onReport: (message: DecryptedMessage) => void
  /** Ids of messages that `transfers` shows during their upload. */
  inTransfer: ReadonlySet<string>
  /** Uploads, shown below the newest message. */
  transfers: ReactNode
  /** While searching, all loaded messages stay loaded. */
  isSearched: boolean
  /** Shown behind the messages. */
  backdrop: ReactNode
}

const nothing: readonly DecryptedMessage[] = []

/** Render it with the connection's id as `key`: it opens at the newest message. */
export function Conversation({
  client,
  connectionId,
  other,
  fileRow,
  onReport,
  inTransfer,
  transfers,
  isSearched,
  backdrop,
}: ConversationProps) {
  const history = useQuery(historyQuery(client, connectionId))
  const progressLoad = useQuery(progressQuery(client, connectionId))
  const progress = progressLoad.data
  const outbox = useStore(client.outbox)
  const messages = history.data?.messages ?? nothing
  const { older, loadOlder } = useOlderMessages(client, connectionId)
  const expiredUpTo = useExpiryFade(client, connectionId, history.data)

  const isPending = useStore(pendingConversations).has(connectionId)
  const unread = useUnreadAtOpening({ history, progress: progressLoad, isPending, otherId: other.id })

  const entries = useMemo(() => {
    const waiting = outbox.filter((item) => item.connectionId === connectionId)
    return conversationEntries(messages, waiting, inTransfer, unread)
  }, [messages, outbox, inTransfer, unread, connectionId])
  const placed = useMemo(() => placeEntries(entries), [entries])
  const confirmed = useMemo(() => confirmedMessages(messages), [messages])

  const { scroller, content, atNewest, goToNewest } = useStickToNewest({
    oldest: entries[0]?.key,
    onNearTop: loadOlder,
  })

  useEffect(() => {
    if (atNewest && !isSearched) patchHistory(connectionId, withoutOldest)
  }, [atNewest, isSearched, messages, connectionId])

  const newestMine = entries.findLast((entry) => entry.mine)?.key
  useEffect(() => {
    if (newestMine) goToNewest()
  }, [newestMine, goToNewest])

  const newestOfOther = messages.findLast((message) => !message.mine)?.seq ?? 0
  const { autoSync } = usePreferences().preferences
  const ownRead = progress?.find((each) => each.userId !== other.id)?.readSeq
  const isLegible = !messages.some((message) => isUnreadHere(message, ownRead))
  // Marked as read before it is known what was unread, nothing would be.
  const mayMark = unread !== undefined || progressLoad.isError
  useMarkRead(client, connectionId, newestOfOther, atNewest && !isPending && isLegible && mayMark)
  const [seenSeq, setSeenSeq] = useState(0)
  if (atNewest && newestOfOther !== seenSeq) setSeenSeq(newestOfOther)

  const isTouch = useMediaQuery(fingers)
  const { menu, openAt, close, handlers } = useMessageMenu(isTouch)
  const { link, closeLink, linkHandlers } = useLinkQuestion()
  const MessageMenu = useStore(menuCode)
  useEffect(() => {
    if (menu) menuCode.now().catch((error: unknown) => toastError(error, texts.notLoaded, texts.tryAgain))
  }, [menu])
  const byId = useMemo(() => new Map(messages.map((message) => [message.id, message])), [messages])
  const originalOf = ({ body }: Pick<DecryptedMessage, 'body'>) =>
    body.kind === 'text' && body.quote ? byId.get(body.quote.messageId) : undefined
  const [deleting, setDeleting] = useState<DecryptedMessage>()
  const actionable = (id = '') => {
    const message = byId.get(id)
    return message && hasActions(message) ? message : undefined
  }
  const menuMessage = actionable(menu?.messageId)
  const deletedMessage = actionable(deleting?.id)

  const empty = history.isSuccess && entries.length === 0 && !transfers
  const progressOfOther = progress?.find((each) => each.userId === other.id)
  return (
    <div className="convo-frame">
      {backdrop}
      <div
        ref={scroller}
        className="convo"
        role="log"
        aria-live="off"
        aria-busy={history.isPending}
        tabIndex={0}
        aria-label={texts.conversationWith(other.name)}
        {...handlers}
        {...linkHandlers}
      >
        <div ref={content} className={classes('convo-in', empty && 'convo-empty')}>
          {history.isPending && <ConversationSkeleton />}
          {history.isLoadingError && <QueryError query={history} title={texts.notLoaded} />}
          {older.isFetching && !older.error && <p className="convo-older">{texts.loadingOlder}</p>}
          {history.data?.older === true && <QueryError query={older} title={texts.olderNotLoaded} />}
          {empty && <EmptyState title={texts.empty} />}
          {placed.map((row, index) => {
            if (row.kind === 'day') return <DayRule key={row.key} at={row.at} now={client.now} />
            if (row.kind === 'unread') return <UnreadRule key={row.key} />
            if (row.kind === 'missing') return <MissingMessage key={row.key} />
            const { entry, turn, tail } = row
            if (entry.kind === 'outbox')
              return (
                <OutboxRow
                  key={row.key}
                  client={client}
                  item={entry.item}
                  turn={turn}
                  tail={tail}
                  otherName={other.name}
                  original={originalOf(entry.item)}
                />
              )
            return (
              <MessageRow
                key={row.key}
                client={client}
                message={entry.message}
                sender={entry.mine ? texts.you : other.name}
                otherName={other.name}
                original={originalOf(entry.message)}
                turn={turn}
                tail={tail}
                leaving={entry.message.expiresAt <= expiredUpTo}
                delivery={shownDelivery(placed, index, progressOfOther, confirmed)}
                fileRow={fileRow}
                isTouch={isTouch}
                onMenu={openAt}
              />
            )
          })}
          {transfers}
        </div>
      </div>
      {MessageMenu && menu && menuMessage && (
        <MessageMenu message={menuMessage} menu={menu} onClose={close} onReport={onReport} onDelete={setDeleting} />
      )}
      <Suspense fallback={<CodeLoading />}>
        {deletedMessage && (
          <DeleteMessage
            client={client}
            message={deletedMessage}
            firstName={other.firstName}
            onClose={() => setDeleting(undefined)}
          />
        )}
        {link && messages.some(({ id }) => id === link.messageId) && (
          <LinkQuestion text={link.text} href={link.href} onClose={closeLink} />
        )}
      </Suspense>
      {isPending && <PendingMessages client={client} connectionId={connectionId} />}
      {!isPending && newestOfOther > seenSeq && (
        <Button className="convo-new" size="sm" onClick={goToNewest}>
          <ArrowDown className="ic" />
          {texts.newMessages}
        </Button>
      )}
      {autoSync && <NewMessageAnnouncer client={client} connectionId={connectionId} firstName={other.firstName} />}
    </div>
  )
}

const bubbles = [
  { own: false, width: 320 },
  { own: false, width: 210 },
  { own: true, width: 380 },
  { own: false, width: 260 },
]

function ConversationSkeleton() {
  return (
    <AfterDelay>
      <p className="sr" role="status">
        {texts.loading}
      </p>
      {bubbles.map(({ own, width }) => (
        <div key={width} className={own ? 'msg own turn' : 'msg'}>
          <Skeleton width={width} height={42} borderRadius={10} />
        </div>
      ))}
    </AfterDelay>
  )
}

function DayRule({ at, now }: { at: number; now: () => number }) {
  const { formatDate } = useDateTime()
  useStore(everyMinute)
  const ago = daysBetween(at, now())
  const words = ago <= 0 ? texts.today : ago === 1 ? texts.yesterday : formatDate(at)
  return (
    <div className="day">
      <span>{words}</span>
    </div>
  )
}

function UnreadRule() {
  return (
    <div className="day unread-rule">
      <span>{texts.unread}</span>
    </div>
  )
}

function MissingMessage() {
  return (
    <p className="convo-missing">
      <CircleAlert className="ic ic-sm" />
      {texts.missing}
    </p>
  )
}
