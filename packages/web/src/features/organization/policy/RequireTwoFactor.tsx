import { type FormEvent, useId, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { isoDay, startOfDay } from '../../../i18n/dateTime.ts'
import { Dialog, DialogButtons } from '../../../ui/dialog/Dialog.tsx'
import { Segmented } from '../../../ui/choice/Segmented.tsx'
import { reachQuery } from '../queries.ts'
import { organizationTexts } from '../texts.ts'
import { offeredDays } from './policyChange.ts'
import { InputField } from '../../../ui/field/Field.tsx'

const choices = ['now', 'later'] as const
type When = (typeof choices)[number]

interface RequireTwoFactorProps {
  client: Client
  /** The announced day (ms); undefined if there is none. */
  announced: number | undefined
  onClose: () => void
  /** 0 requires it immediately. */
  onConfirm: (twoFactorFrom: number) => void
}

/** Asks from when two-factor authentication is required, and shows how many members lack it. */
export function RequireTwoFactor({ client, announced, onClose, onConfirm }: RequireTwoFactorProps) {
  const texts = organizationTexts.policy.require
  const formId = useId()
  const now = client.now()
  const days = offeredDays(now)
  const [when, setWhen] = useState<When>(announced === undefined ? 'now' : 'later')
  const [day, setDay] = useState(announced === undefined ? days.usual : isoDay(announced))
  const [isTried, setTried] = useState(false)
  const { data } = useQuery(reachQuery(client))
  const concerned = data && organizationTexts.policy.concerned(data.withoutSecondFactor)
  const hint = when === 'now' ? texts.hint : texts.laterHint
  const isInvalid = startOfDay(day) === undefined || day < days.first || day > days.last

  function submit(event: FormEvent) {
    event.preventDefault()
    setTried(true)
    if (when === 'later' && isInvalid) return
    onClose()
    onConfirm(when === 'now' ? 0 : (startOfDay(day) ?? 0))
  }

  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={announced === undefined ? texts.title : texts.changeTitle}
      description={concerned ? `${hint} ${concerned}` : hint}
      footer={<DialogButtons form={formId} label={texts.confirm} onCancel={onClose} />}
    >
      <form className="require-when" id={formId} onSubmit={submit} noValidate>
        <Segmented
          label={texts.when}
          value={when}
          options={choices.map((value) => ({ value, label: texts.choices[value] }))}
          onChange={setWhen}
        />
        {when === 'later' && (
          <InputField
            label={texts.day}
            error={isTried && isInvalid ? texts.invalid : undefined}
            type="date"
            required
            min={days.first}
            max={days.last}
            value={day}
            onChange={(event) => setDay(event.target.value)}
          />
        )}
      </form>
    </Dialog>
  )
}
