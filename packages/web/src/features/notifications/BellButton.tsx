import type { ComponentProps } from 'react'
import { Bell } from 'lucide-react'
import { classes } from '../../ui/classes.ts'
import { buttonClass } from '../../ui/button/Button.tsx'
import { notificationTexts as texts } from './texts.ts'
import './notifications.css'

const maxShown = 9

export function BellButton({ unread, ...rest }: ComponentProps<'button'> & { unread: number }) {
  return (
    <button
      type="button"
      className={classes(buttonClass({ variant: 'ghost', icon: true }), 'bell')}
      aria-haspopup="dialog"
      aria-label={texts.bell(unread)}
      title={texts.title}
      {...rest}
    >
      <Bell className="ic ic-md" />
      {unread > 0 && <b aria-hidden="true">{unread > maxShown ? texts.many : unread}</b>}
    </button>
  )
}
