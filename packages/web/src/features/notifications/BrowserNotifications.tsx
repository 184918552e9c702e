import { useStore } from '../../ui/useStore.ts'
import { Button } from '../../ui/button/Button.tsx'
import { askPermission, permission } from './permission.ts'
import { notificationTexts as texts } from './texts.ts'
import './notifications.css'

/** Whether this browser may show notifications and why not, with a button to ask. `wanted`: the user's preference. */
export function BrowserNotifications({ wanted }: { wanted: boolean }) {
  const state = useStore(permission)
  const hints = {
    unsupported: texts.browserNone,
    default: texts.browserOff,
    denied: texts.browserBlocked,
    granted: wanted ? texts.browserOn : texts.browserMuted,
  }
  return (
    <div className="notice-browser">
      <p>
        <b>{texts.browser}</b>
        {hints[state]}
      </p>
      {state === 'default' && (
        <Button size="sm" onClick={() => void askPermission()}>
          {texts.turnOn}
        </Button>
      )}
    </div>
  )
}
