import { useCallback, useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Page } from '../../app/screens/Page.tsx'
import { usePreferencesLoad } from '../../app/preferences/preferences.ts'
import { useClient, useUser } from '../../app/session.ts'
import { phone, useMediaQuery } from '../../browser/mediaQueries.ts'
import { connectionsQuery } from '../../features/connections/queries.ts'
import { usePreload } from '../../features/messages/usePreload.ts'
import { SkipLink } from '../../ui/SkipLink.tsx'
import { ChatLoading, NoChat } from './NoChat.tsx'
import { SideColumn } from './SideColumn.tsx'
import { dashboardTexts as texts } from '../texts.ts'
import { TopBar } from '../member/TopBar.tsx'
import { focusConversation, useFocusOnChange } from './useFocus.ts'
import { useSelection } from '../places/useSelection.ts'
import { useStore } from '../../ui/useStore.ts'
import { loadLater } from '../../ui/lazy.ts'
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

  const onPhone = useMediaQuery(phone)
  const listOnly = onPhone && !connection
  const heading = <h1 className="sr">{texts.title}</h1>
  const ChatPane = useChatPane(connection !== undefined)
  useFocusOnChange(connection?.id, onPhone, ChatPane !== undefined)

  return (
    <Page title={texts.title}>
      <div className="app" data-view={connection ? 'chat' : 'list'}>
        <SkipLink>{texts.skip}</SkipLink>
        <TopBar client={client} user={user} />
        <div className="dash">
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
              user={user}
              connection={connection}
              sheetOpen={sheetOpen}
              onPhone={onPhone}
              onBack={leave}
              onInfo={openSheet}
              onSheetClose={closeSheet}
              onReview={onReview}
            />
          ) : connection || listOnly ? null : (
            <NoChat heading={heading} code={user.connectionCode} hasConnections={(connections?.length ?? 0) > 0} />
          )}
        </div>
      </div>
    </Page>
  )
}
