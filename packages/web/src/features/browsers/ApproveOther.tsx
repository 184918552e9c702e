import { useMutation } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { toastError } from '../../app/callError.ts'
import { Button } from '../../ui/button/Button.tsx'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { ComparedCode } from './ComparedCode.tsx'
import { browsersTexts } from './texts.ts'
import { useComparison } from './useComparison.ts'

interface ApproveOtherProps {
  client: Client
  browserId: string
  /** Names the new browser. */
  description: string
  onClose: () => void
}

/** Compares six digits with a new browser, and approves it. */
export function ApproveOther({ client, browserId, description, onClose }: ApproveOtherProps) {
  const texts = browsersTexts.approve
  const begin = () => client.browsers.answerApproval(browserId)
  const { comparison, ...shown } = useComparison(client, browserId, begin)

  const approve = useMutation({
    mutationFn: async () => comparison?.approve(),
    onSuccess() {
      toast({ title: texts.done, description: texts.doneWhy })
      onClose()
    },
    onError: (error) => toastError(error, browsersTexts.error, browsersTexts.fallback),
  })
  const refuse = useMutation({
    mutationFn: async () => comparison?.end(),
    onSuccess() {
      toast({ title: texts.refused, description: texts.refusedWhy, tone: 'critical', stays: true })
      onClose()
    },
    onError: (error) => toastError(error, browsersTexts.error, browsersTexts.fallback),
  })

  const isComparing = !shown.error && shown.state.status === 'comparing'
  return (
    <Dialog
      open
      onOpenChange={(open) => open || approve.isPending || onClose()}
      title={texts.title}
      description={description}
      footer={
        isComparing && (
          <>
            <Button variant="danger-quiet" disabled={approve.isPending} onClick={() => refuse.mutate()}>
              {texts.no}
            </Button>
            <Button variant="primary" busy={approve.isPending} onClick={() => approve.mutate()}>
              {approve.isPending ? texts.busy : texts.yes}
            </Button>
          </>
        )
      }
    >
      <ComparedCode {...shown} question={texts.ask} ended={browsersTexts.endedThere} />
    </Dialog>
  )
}
