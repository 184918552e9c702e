import { useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { founderSecondFactor } from '@privity/contract/founder/secondFactor'
import { QueryError } from '../../../app/QueryError.tsx'
import { formatDate } from '../../../i18n/dateTime.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Dialog } from '../../../ui/dialog/Dialog.tsx'
import { Panel } from '../../../ui/panel/Panel.tsx'
import { Skeleton } from '../../../ui/feedback/Progress.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { founderClient } from '../../console/client.ts'
import { ConfirmForm } from './ConfirmForm.tsx'
import { FactorSetup } from './FactorSetup.tsx'
import { factorQuery } from './queries.ts'
import { securityTexts } from './texts.ts'

const texts = securityTexts.factor

/** Sets up, replaces or removes the authenticator app. */
export function FactorPanel() {
  const client = useQueryClient()
  const factor = useQuery(factorQuery)
  const state = factor.data
  const [task, setTask] = useState<'setUp' | 'remove'>()
  const isOn = state !== undefined && state.since !== null

  async function remove({ password, ...proof }: { password: string }) {
    const body = { password: await founderClient.deriveSecret(password), ...proof }
    const removal = founderClient.call(founderSecondFactor.remove, { body }).catch((error: unknown) => {
      // The response may be lost although the factor was removed: reload its state.
      void client.invalidateQueries({ queryKey: factorQuery.queryKey })
      throw error
    })
    client.setQueryData(factorQuery.queryKey, await removal)
    setTask(undefined)
    toast({ title: texts.isOff })
  }

  return (
    <Panel title={texts.title}>
      {state === undefined && <QueryError query={factor} fallback={securityTexts.notLoaded} />}
      {state === undefined && !factor.error && <Skeleton height={64} />}
      {state && (
        <div className="sec-panel">
          <p>{state.since === null ? texts.off : texts.on(formatDate(state.since), state.recoveryCodesLeft)}</p>
          <div className="row wrap">
            <Button onClick={() => setTask('setUp')}>{isOn ? texts.replace : texts.setUp}</Button>
            {isOn && (
              <Button variant="danger-quiet" onClick={() => setTask('remove')}>
                {texts.remove}
              </Button>
            )}
          </div>
        </div>
      )}
      {task === 'setUp' && <FactorSetup isOn={isOn} onClose={() => setTask(undefined)} />}
      <Dialog open={task === 'remove'} onOpenChange={(open) => open || setTask(undefined)} title={texts.removeTitle}>
        <ConfirmForm lead={texts.removeWhy} hasFactor submitLabel={texts.remove} danger onConfirm={remove} />
      </Dialog>
    </Panel>
  )
}

/** Recommends a second factor while the console has none. */
export function FactorAdvice() {
  const { data: state } = useQuery(factorQuery)
  if (state?.since !== null) return null
  return (
    <p className="sec-advice">
      {texts.advice} <a href="#security">{texts.adviceLink}</a>
    </p>
  )
}
