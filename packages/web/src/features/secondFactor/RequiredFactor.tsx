import { useEffect, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import { KeyRound, Smartphone } from 'lucide-react'
import type { Client } from '@privity/client'
import type { User } from '@privity/contract/session'
import { messageFor } from '../../app/callError.ts'
import { usePreferencesLoad } from '../../app/preferences/preferences.ts'
import { preferencesKey } from '../../app/preferences/query.ts'
import { queryClient } from '../../app/queryClient.ts'
import { useSecondFactor } from '../../app/secondFactor/ownFactors.ts'
import { useSignOut } from '../../app/useSignOut.tsx'
import { Button, LinkButton } from '../../ui/button/Button.tsx'
import { ErrorState } from '../../ui/feedback/Errors.tsx'
import { Spinner } from '../../ui/feedback/Progress.tsx'
import { FactorDialog, type FactorTask } from './FactorDialog.tsx'
import { secondFactorTexts } from './texts.ts'
import { QueryError } from '../../app/QueryError.tsx'
import '../../app/secondFactor/secondFactor.css'

/**
 * Polling interval in ms. Without a session there is no socket to report that another browser has set up a factor or
 * that the policy has changed.
 */
const lookEvery = 5_000

/** Asks a member to set up a first second factor, then resumes the session. */
export function RequiredFactor({ client, user }: { client: Client; user: User }) {
  const texts = secondFactorTexts.required
  const [task, setTask] = useState<FactorTask>()
  const { leave, question } = useSignOut(client)
  const factors = useSecondFactor(client)
  const { data: state, refetch } = factors
  const { data: known, dataUpdatedAt } = usePreferencesLoad()
  // The cached policy may be outdated, so only data loaded after this time counts.
  const [since] = useState(() => Date.now())
  const isRequired = known === undefined || dataUpdatedAt < since || known.policy.twoFactor
  const resume = useMutation({ mutationFn: () => client.account.resume() })
  const { mutate } = resume
  // Not while a dialog is open: it may show the recovery codes, which are shown only once.
  const isDone = task === undefined && (state?.on === true || !isRequired)

  useEffect(() => {
    if (isDone) mutate()
  }, [isDone, mutate])

  useEffect(() => {
    if (task !== undefined) return
    const look = () => {
      void refetch()
      void queryClient.invalidateQueries({ queryKey: preferencesKey })
    }
    look()
    const timer = setInterval(look, lookEvery)
    return () => clearInterval(timer)
  }, [task, refetch])

  if (resume.isError)
    return <ErrorState message={messageFor(resume.error, secondFactorTexts.fallback)} onRetry={() => mutate()} />
  if (isDone)
    return (
      <p className="row muted" role="status">
        <Spinner />
        {texts.opening}
      </p>
    )
  return (
    <>
      {!state && <QueryError query={factors} title={secondFactorTexts.notLoaded} />}
      {state && (
        <div className="factor-ways">
          <div>
            <Button variant="primary" block onClick={() => setTask({ kind: 'setUpApp' })}>
              <Smartphone className="ic" />
              {texts.app}
            </Button>
            <p className="hint">{secondFactorTexts.app.none}</p>
          </div>
          {state.passkeysHere === 'possible' ? (
            <div>
              <Button block onClick={() => setTask({ kind: 'addPasskey' })}>
                <KeyRound className="ic" />
                {texts.passkey}
              </Button>
              <p className="hint">{secondFactorTexts.passkeys.hint}</p>
            </div>
          ) : (
            <p className="hint">{secondFactorTexts.passkeys[state.passkeysHere]}</p>
          )}
        </div>
      )}
      <p className="swap">
        <LinkButton onClick={() => void leave()}>{texts.signOut}</LinkButton>
      </p>
      {question}
      {task && state && (
        <FactorDialog
          client={client}
          username={user.username}
          state={state}
          task={task}
          onClose={() => setTask(undefined)}
        />
      )}
    </>
  )
}
