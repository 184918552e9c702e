import { useEffect, useId, useState } from 'react'
import { X } from 'lucide-react'
import { phone, useMediaQuery } from '../../browser/mediaQueries.ts'
import { buttonClass } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { Popover } from '../../ui/overlay/Popover.tsx'
import { dismissAnnouncement } from '../../ui/toast/toastStore.ts'
import { BellButton } from './BellButton.tsx'
import { NotificationList, type NotificationListProps } from './NotificationList.tsx'
import { notificationTexts as texts } from './texts.ts'
import '../../ui/badge/badge.css'

interface NotificationPanelProps extends NotificationListProps {
  unread: number
  /** True if the button was pressed before the panel's code was loaded. */
  defaultOpen: boolean
}

/** The bell with its list: a popover, or a dialog on a phone. */
export function NotificationPanel({ unread, defaultOpen, onOpen, ...list }: NotificationPanelProps) {
  const id = useId()
  const onPhone = useMediaQuery(phone)
  const [open, setOpen] = useState(defaultOpen)
  useEffect(() => {
    if (open) dismissAnnouncement()
  }, [open])
  const openPlace: NotificationListProps['onOpen'] = (notification) => {
    setOpen(false)
    onOpen(notification)
  }
  const content = <NotificationList {...list} onOpen={openPlace} />
  if (onPhone)
    return (
      <>
        <BellButton unread={unread} aria-expanded={open} onClick={() => setOpen(true)} />
        <Dialog open={open} onOpenChange={setOpen} title={texts.title}>
          {content}
        </Dialog>
      </>
    )
  return (
    <Popover open={open} onOpenChange={setOpen} labelledBy={id} trigger={<BellButton unread={unread} />}>
      <header className="notice-h">
        <h2 id={id}>{texts.title}</h2>
        {unread > 0 && <span className="count">{texts.newCount(unread)}</span>}
        <button
          type="button"
          className={buttonClass({ variant: 'ghost', size: 'sm', icon: true })}
          aria-label={texts.close}
          title={texts.close}
          onClick={() => setOpen(false)}
        >
          <X className="ic" />
        </button>
      </header>
      {content}
    </Popover>
  )
}
