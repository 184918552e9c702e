import { useQuery } from '@tanstack/react-query'
import { useWanted } from '../../app/useWanted.ts'
import { useStore } from '../../ui/useStore.ts'
import { loadLater } from '../../ui/lazy.ts'
import { BellButton } from './BellButton.tsx'
import type { NotificationListProps } from './NotificationList.tsx'
import { notificationsQuery } from './queries.ts'

const panel = loadLater(() => import('./NotificationPanel.tsx'))

/** The bell in the top bar. Its panel is loaded after the page is shown. */
export function Bell(list: NotificationListProps) {
  const NotificationPanel = useStore(panel)?.NotificationPanel
  const [wanted, press] = useWanted(panel)
  const unread = useQuery(notificationsQuery(list.client)).data?.unread ?? 0
  if (NotificationPanel) return <NotificationPanel {...list} unread={unread} defaultOpen={wanted} />
  return <BellButton unread={unread} aria-busy={wanted} onClick={press} />
}
