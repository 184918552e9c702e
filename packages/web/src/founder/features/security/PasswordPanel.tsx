import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import { limits } from '@privity/contract/limits'
import { isCallError } from '../../../app/callError.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { PasswordField } from '../../../ui/field/PasswordInput.tsx'
import { Panel } from '../../../ui/panel/Panel.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { founderClient } from '../../console/client.ts'
import { reopenReports, reportKeysQuery } from '../../console/reportKeys.ts'
import { ConfirmForm } from './ConfirmForm.tsx'
import { factorQuery, sessionsQuery } from './queries.ts'
import { securityTexts } from './texts.ts'
import '../../../ui/panel/panel.css'

const texts = securityTexts.change
const reportTexts = securityTexts.reports

/** Changes the founder's password and shows the state of the report keys. */
export function PasswordPanel() {
  const [isOpen, setOpen] = useState(false)
  return (
    <Panel title={texts.title}>
      <div className="sec-panel">
        <p>{texts.why}</p>
        <Button className="sec-start" onClick={() => setOpen(true)}>
          {texts.open}
        </Button>
        <ReportKeys />
      </div>
      <Dialog open={isOpen} onOpenChange={setOpen} title={texts.dialog}>
        <NewPassword onDone={() => setOpen(false)} />
      </Dialog>
    </Panel>
  )
}

/** Without a response it is unknown whether the password changed; the message asks to repeat the same input. */
const failureMessage = (error: unknown) =>
  isCallError(error) && (error.status === 0 || error.status >= 500) ? texts.unanswered : undefined

function NewPassword({ onDone }: { onDone: () => void }) {
  const client = useQueryClient()
  const { data: factor } = useQuery(factorQuery)
  const [next, setNext] = useState('')
  const [again, setAgain] = useState('')
  const [faults, setFaults] = useState<{ next?: string; again?: string }>({})

  function check() {
    const found = {
      ...(next.length < limits.passwordCharacters && { next: texts.missing }),
      ...(next !== again && { again: texts.differs }),
    }
    setFaults(found)
    return Object.keys(found).length === 0
  }

  async function change(proof: { password: string }) {
    await founderClient.changePassword({ ...proof, newPassword: next })
    onDone()
    toast({ title: texts.done, description: texts.doneWhy })
    void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
    void reopenReports(client, founderClient)
  }

  const type = (set: (text: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value)
    setFaults({})
  }

  return (
    <ConfirmForm
      lead={texts.lead}
      label={texts.current}
      hasFactor={factor !== undefined && factor.since !== null}
      submitLabel={texts.submit}
      check={check}
      failureMessage={failureMessage}
      onConfirm={change}
    >
      <PasswordField
        label={texts.next}
        error={faults.next}
        autoComplete="new-password"
        value={next}
        onChange={type(setNext)}
      />
      <PasswordField
        label={texts.again}
        error={faults.again}
        autoComplete="new-password"
        value={again}
        onChange={type(setAgain)}
      />
    </ConfirmForm>
  )
}

/** Shows whether reports can be read in this browser, and how many keys are lost for good. */
function ReportKeys() {
  const client = useQueryClient()
  const { data } = useQuery(reportKeysQuery(founderClient))
  const [isAsking, setAsking] = useState(false)
  if (data === undefined) return null
  const lost = data?.unreadable.length ?? 0

  async function unlock({ password }: { password: string }) {
    await founderClient.unlockReports(password)
    await reopenReports(client, founderClient)
    setAsking(false)
    toast({ title: reportTexts.unlocked })
  }

  return (
    <>
      <p>{data ? reportTexts.open : reportTexts.locked}</p>
      {!data && (
        <Button className="sec-start" onClick={() => setAsking(true)}>
          {reportTexts.unlock}
        </Button>
      )}
      {lost > 0 && (
        <div className="alert alert-warning">
          <CircleAlert className="ic" />
          <span>{reportTexts.lost(lost)}</span>
        </div>
      )}
      <Dialog open={isAsking} onOpenChange={setAsking} title={reportTexts.unlockTitle}>
        <ConfirmForm lead={reportTexts.locked} hasFactor={false} submitLabel={reportTexts.unlock} onConfirm={unlock} />
      </Dialog>
    </>
  )
}
