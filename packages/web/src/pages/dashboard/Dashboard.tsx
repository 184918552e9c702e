import { lazy, Suspense, useCallback, useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Page } from '../../app/screens/Page.tsx'
import { usePreferencesLoad } from '../../app/preferences/preferences.ts'
import { useClient, useUser } from '../../app/session.ts'
import { phone, useMediaQuery } from '../../browser/mediaQueries.ts'
import { connectionsQuery, otherParty } from '../../features/connections/queries.ts'
import { usePreload } from '../../features/messages/usePreload.ts'
import { classes } from '../../ui/classes.ts'
import { SkipLink } from '../../ui/SkipLink.tsx'
import { ChatLoading, NoChat } from './NoChat.tsx'
import { SideColumn } from './SideColumn.tsx'
import { dashboardTexts as texts } from '../texts.ts'
import { TopBar } from '../member/TopBar.tsx'
import { focusConversation, useFocusOnChange, useFocusReturn } from './useFocus.ts'
import { useSelection } from '../places/useSelection.ts'
import { useStore } from '../../ui/useStore.ts'
import { loadLater } from '../../ui/lazy.ts'
import { CodeLoading } from '../../app/useWanted.ts'
import './dashboard.css'
import '../member/dashboardState.css'

const chatPane = loadLater(() => import('./ChatPane.tsx'))

/**
 * The chat's component; undefined until loaded. Its code is fetched right after the list is shown, before other
 * deferred code, because a conversation is usually opened next.
 */
function useChatPane(open: boolean) {
  const loaded = useStore(chatPane)
  const [failure, setFailure] = useState<{ error: unknown }>()
  useEffect(() => {
    chatPane.now().catch((error: unknown) => {
      console.error(error)
      if (open) setFailure({ error })
    })
  }, [open])
  // Thrown, so that the crash screen handles it like a page whose code failed to load.
  if (failure) throw failure.error
  return loaded?.ChatPane
}

const SafetySheet = lazy(async () => ({
  default: (await import('../../features/trust/safetyNumber/SafetySheet.tsx')).SafetySheet,
}))

export function Dashboard() {
  const client = useClient()
  const user = useUser()
  const connections = useQuery(connectionsQuery(client)).data
  usePreload(client, connections, usePreferencesLoad().data?.preferences.preloadMessages === true)
  const selection = useSelection()
  const { connectionId, sheetOpen, select, openSheet, closeSheet, endReview, leave, clear } = selection
  const [reviewing, setReviewing] = useState(false)
  const onReview = useCallback(() => setReviewing(true), [])
  const onReviewing = useCallback(
    (open: boolean) => {
      setReviewing(open)
      if (!open) endReview()
    },
    [endReview],
  )
  const connection = connections?.find((each) => each.id === connectionId)
  const gone = connections !== undefined && connectionId !== undefined && !connection
  useEffect(() => {
    if (gone) clear()
  }, [gone, clear])

  const sheet = sheetOpen && connection !== undefined
  const onPhone = useMediaQuery(phone)
  const listOnly = onPhone && !connection
  const heading = <h1 className="sr">{texts.title}</h1>
  useFocusReturn(sheet)
  const ChatPane = useChatPane(connection !== undefined)
  useFocusOnChange(connection?.id, onPhone, ChatPane !== undefined)

  return (
    <Page title={texts.title}>
      <div className="app" data-view={connection ? 'chat' : 'list'}>
        <SkipLink>{texts.skip}</SkipLink>
        <TopBar client={client} user={user} />
        <div className={classes('dash', sheet && 'with-sheet')}>
          <SideColumn
            client={client}
            user={user}
            currentId={connection?.id}
            onSelect={(id) => (id === connection?.id ? focusConversation(onPhone) : select(id))}
            heading={heading}
            asMain={listOnly}
            reviewing={reviewing || selection.reviewing}
            onReviewing={onReviewing}
          />
          {connection && !ChatPane && <ChatLoading heading={heading} />}
          {connection && ChatPane ? (
            <ChatPane
              heading={heading}
              client={client}
              ownId={user.id}
              connection={connection}
              sheetOpen={sheet}
              covered={onPhone && sheet}
              onBack={leave}
              onInfo={openSheet}
              onReview={onReview}
            />
          ) : connection || listOnly ? null : (
            <NoChat heading={heading} code={user.connectionCode} hasConnections={(connections?.length ?? 0) > 0} />
          )}
          {sheet && (
            <Suspense fallback={<CodeLoading />}>
              <SafetySheet
                key={connection.id}
                client={client}
                connectionId={connection.id}
                connectedAt={connection.connectedAt}
                own={user}
                other={otherParty(connection, user.id)}
                onClose={closeSheet}
              />
            </Suspense>
          )}
        </div>
      </div>
    </Page>
  )
}
