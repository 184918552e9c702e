import { MonitorSmartphone } from 'lucide-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'wouter'
import type { Client } from '@privity/client'
import { deviceName } from '../../i18n/names.ts'
import { noticeQuery, useLiveBrowsers } from './queries.ts'
import { browsersTexts } from './texts.ts'
import '../../ui/panel/panel.css'

/** With "Only approved browsers": says that this browser is not approved, or that another one asks to be. */
export function BrowserNotice({ client, page }: { client: Client; page: string }) {
  const texts = browsersTexts.notice
  const { data } = useQuery(noticeQuery(client))
  useLiveBrowsers(client)
  const own = data?.browsers.find(({ isCurrent }) => isCurrent)
  if (!data?.onlyApproved || !own) return null
  if (!own.isApproved) return <Notice text={texts.own} page={page} action={texts.approveOwn} />
  const asking = data.browsers.find(({ approval, isApproved }) => approval && !isApproved)
  return asking ? <Notice text={texts.other(deviceName(asking.name))} page={page} action={texts.compare} /> : null
}

const Notice = ({ text, page, action }: { text: string; page: string; action: string }) => (
  <div className="alert alert-warning" role="status">
    <MonitorSmartphone className="ic" />
    <p>
      {text} <Link href={page}>{action}</Link>
    </p>
  </div>
)
