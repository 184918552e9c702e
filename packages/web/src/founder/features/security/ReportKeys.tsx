import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { Button } from '../../../ui/button/Button.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { founderClient } from '../../console/client.ts'
import { reopenReports, reportKeysQuery } from '../../console/reportKeys.ts'
import { ConfirmForm } from './ConfirmForm.tsx'
import { securityTexts } from './texts.ts'
import '../../../ui/panel/panel.css'

/** Shows whether reports can be read in this browser, and how many keys are lost for good. */
export function ReportKeys() {
  const texts = securityTexts.reports
  const client = useQueryClient()
  const { data } = useQuery(reportKeysQuery(founderClient))
  const [isAsking, setAsking] = useState(false)
  if (data === undefined) return null
  const lost = data?.unreadable.length ?? 0

  async function unlock({ password }: { password: string }) {
    await founderClient.unlockReports(password)
    await reopenReports(client, founderClient)
    setAsking(false)
    toast({ title: texts.unlocked })
  }

  return (
    <>
      <p>{data ? texts.open : texts.locked}</p>
      {!data && (
        <Button className="sec-start" onClick={() => setAsking(true)}>
          {texts.unlock}
        </Button>
      )}
      {lost > 0 && (
        <div className="alert alert-warning">
          <CircleAlert className="ic" />
          <span>{texts.lost(lost)}</span>
        </div>
      )}
      <Dialog open={isAsking} onOpenChange={setAsking} title={texts.unlockTitle}>
        <ConfirmForm lead={texts.locked} hasFactor={false} submitLabel={texts.unlock} onConfirm={unlock} />
      </Dialog>
    </>
  )
}
