import { Button } from '../../ui/button/Button.tsx'
import { Confirm } from '../../ui/dialog/Confirm.tsx'
import { preferenceTexts as texts } from './texts.ts'
import type { Draft } from './useDraft.ts'
import { useLeaveGuard } from './useLeaveGuard.ts'
import './saveBar.css'

/** Save and Cancel, sticky while there are unsaved changes. */
export function SaveBar({ draft: { dirty, cancel, save } }: { draft: Draft }) {
  const { asking, stay, leave } = useLeaveGuard(dirty)
  return (
    <>
      <div className="set-save" data-dirty={dirty || undefined}>
        <span className="unsaved" role="status">
          {dirty && texts.unsaved}
        </span>
        <Button disabled={!dirty} onClick={cancel}>
          {texts.cancel}
        </Button>
        <Button variant="primary" disabled={!dirty} onClick={save}>
          {texts.save}
        </Button>
      </div>
      <Confirm
        open={asking}
        onOpenChange={(open) => open || stay()}
        title={texts.leave.title}
        description={texts.leave.hint}
        confirmLabel={texts.leave.confirm}
        cancelLabel={texts.leave.stay}
        tone="danger"
        onConfirm={leave}
      />
    </>
  )
}
