import { type ReactNode, useState } from 'react'
import type { Client, Confirmation, SecondFactorChange } from '@privity/client'
import type { PasskeyCreation, SecondFactorState } from '@privity/contract/secondFactor'
import { AppSetup } from '../../app/secondFactor/AppSetup.tsx'
import { putSecondFactor } from '../../app/secondFactor/ownFactors.ts'
import { RecoveryCodes } from '../../app/secondFactor/RecoveryCodes.tsx'
import { proofTexts } from '../../app/texts.ts'
import { Dialog } from '../../ui/dialog/Dialog.tsx'
import { toast } from '../../ui/toast/toastStore.ts'
import { ConfirmForm } from '../../app/secondFactor/ConfirmForm.tsx'
import { NewPasskey } from './NewPasskey.tsx'
import { secondFactorTexts as texts } from './texts.ts'

export type FactorTask =
  | { kind: 'setUpApp' }
  | { kind: 'replaceApp' }
  | { kind: 'addPasskey' }
  | { kind: 'renew' }
  | { kind: 'removeApp' }
  | { kind: 'removePasskey'; id: string; name: string }
  | { kind: 'switchOff' }

/** Steps of the dialog: the confirmation, then the change or its codes. */
type Stage =
  | { kind: 'confirm' }
  | { kind: 'app'; secret: string; uri: string }
  | { kind: 'passkey'; creation: PasskeyCreation }
  | { kind: 'codes'; codes: readonly string[] }

interface FactorDialogProps {
  client: Client
  username: string
  state: SecondFactorState
  task: FactorTask
  onClose: () => void
}

const isRemoval = ({ kind }: FactorTask) => kind === 'removeApp' || kind === 'removePasskey' || kind === 'switchOff'

/** One dialog for every change to the second factors: first the confirmation, then the change. */
export function FactorDialog({ client, username, state, task, onClose }: FactorDialogProps) {
  const [stage, setStage] = useState<Stage>({ kind: 'confirm' })
  const { secondFactor } = client

  function done({ state: next, recoveryCodes }: SecondFactorChange): void {
    putSecondFactor(next)
    toast({ title: texts.updated, description: texts[task.kind].done })
    if (recoveryCodes) setStage({ kind: 'codes', codes: recoveryCodes })
    else onClose()
  }

  async function act(confirmation: Confirmation): Promise<void> {
    if (task.kind === 'setUpApp' || task.kind === 'replaceApp')
      setStage({ kind: 'app', ...(await secondFactor.startTotp(confirmation)) })
    else if (task.kind === 'addPasskey')
      setStage({ kind: 'passkey', creation: await secondFactor.startPasskey(confirmation) })
    else if (task.kind === 'renew') done(await secondFactor.renewRecoveryCodes(confirmation))
    else if (task.kind === 'removePasskey') done(await secondFactor.removePasskey(task.id, confirmation))
    else done(await secondFactor.remove(task.kind === 'removeApp' ? 'totp' : 'everything', confirmation))
  }

  function content(): ReactNode {
    if (stage.kind === 'app') {
      return (
        <AppSetup
          secret={stage.secret}
          uri={stage.uri}
          texts={texts.setUpApp}
          fallback={texts.fallback}
          submitLabel={task.kind === 'replaceApp' ? texts.replaceApp.replace : texts.setUpApp.switchOn}
          busyLabel={proofTexts.checking}
          onCode={async (code) => done(await secondFactor.confirmTotp(code))}
        />
      )
    }
    if (stage.kind === 'passkey') {
      const name = texts.addPasskey.defaultName(state.passkeys.length + 1)
      return <NewPasskey client={client} creation={stage.creation} defaultName={name} onDone={done} />
    }
    if (stage.kind === 'codes') {
      const { fileName, file } = texts.saveCodes
      const saved = { name: fileName(username), text: file(username, stage.codes) }
      return <RecoveryCodes codes={stage.codes} file={saved} texts={texts.saveCodes} onDone={onClose} />
    }
    const of = texts[task.kind]
    return (
      <ConfirmForm
        client={client}
        username={username}
        submitLabel={'submit' in of ? of.submit : of.proceed}
        tone={isRemoval(task) ? 'danger' : 'primary'}
        act={act}
      />
    )
  }

  const isLast = task.kind === 'removeApp' && state.passkeys.length === 0
  const why = isLast ? texts.removeApp.whyLast : texts[task.kind].why
  const asked = task.kind === 'removePasskey' ? texts.removePasskey.title(task.name) : texts[task.kind].title
  return (
    <Dialog
      open
      // Codes are shown once, so the dialog closes only after the user has confirmed saving them.
      onOpenChange={stage.kind === 'codes' ? undefined : (open) => open || onClose()}
      title={stage.kind === 'codes' ? texts.saveCodes.title : asked}
      description={stage.kind === 'confirm' ? why : undefined}
    >
      {content()}
    </Dialog>
  )
}
