import type { Client } from '@privity/client'
import { Button } from '../../ui/button/Button.tsx'
import { update } from '../serviceWorker.ts'
import { coreTexts } from '../texts.ts'
import { useStore } from '../../ui/useStore.ts'
import { uiTexts } from '../../ui/texts.ts'
import { createTabText } from '../../browser/sessionStorageText.ts'
import './updateNotice.css'

/** Offers a newer version. It never reloads on its own, because the user may be writing. */
export function UpdateNotice() {
  const reload = useStore(update)
  if (!reload) return null
  return (
    <div className="update">
      <p>
        <b>{coreTexts.newVersion}</b>
        {coreTexts.newVersionHint}
      </p>
      <Button size="sm" onClick={() => update.set(undefined)}>
        {coreTexts.later}
      </Button>
      <Button size="sm" variant="primary" onClick={reload}>
        {coreTexts.reload}
      </Button>
    </div>
  )
}

/** Set once the notice is dismissed, so that each tab shows it once. */
export const dismissed = createTabText('privity.clockNotice')

/** Warns that the clocks of server and device differ: times and expiry follow the server's clock. */
export function ClockNotice({ client }: { client: Pick<Client, 'clockDiffers'> }) {
  const differs = useStore(client.clockDiffers)
  const isDismissed = useStore(dismissed) !== undefined
  if (!differs || isDismissed) return null
  return (
    <div className="update">
      <p>
        <b>{coreTexts.clockDiffers}</b>
        {coreTexts.clockDiffersHint}
      </p>
      <Button size="sm" onClick={() => dismissed.set('dismissed')}>
        {uiTexts.dismiss}
      </Button>
    </div>
  )
}
