import { Button } from '../../ui/button/Button.tsx'
import { update } from '../serviceWorker.ts'
import { coreTexts } from '../texts.ts'
import { useStore } from '../../ui/useStore.ts'
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
