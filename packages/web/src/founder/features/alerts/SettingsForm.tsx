import { type ComponentProps, type FormEvent, type ReactNode, useRef, useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { CircleAlert } from 'lucide-react'
import {
  type AlertServices,
  type AlertProblem,
  alerts,
  type AlertSettings,
  type AlertType,
  alertTypes,
  problemOf,
} from '@privity/contract/founder/alerts'
import { toastError } from '../../../app/callError.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Checkbox } from '../../../ui/choice/Checkbox.tsx'
import { Switch } from '../../../ui/choice/Switch.tsx'
import { Input } from '../../../ui/field/Field.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { founderClient } from '../../console/client.ts'
import { keyOf } from '../../console/queries.ts'
import { alertTexts as texts } from './texts.ts'

interface SettingsFormProps {
  settings: AlertSettings & { carriers: AlertServices }
  /** Content beside the save button. */
  children: ReactNode
}

const fieldIds = { emailAddress: 'alert-email', smsPhoneNumber: 'alert-phone' } as const

/** The address of a disabled channel stays in its field but is not sent. */
const toBody = ({ emailEnabled, emailAddress, smsEnabled, smsPhoneNumber, alertTypes: types }: AlertSettings) => ({
  emailEnabled,
  emailAddress: emailEnabled ? (emailAddress?.trim() ?? '') : null,
  smsEnabled,
  smsPhoneNumber: smsEnabled ? (smsPhoneNumber?.trim() ?? '') : null,
  alertTypes: types,
})

export function SettingsForm({ settings, children }: SettingsFormProps) {
  const client = useQueryClient()
  const [draft, setDraft] = useState<AlertSettings>()
  const [problem, setProblem] = useState<AlertProblem>()
  const form = useRef<HTMLFormElement>(null)
  const shown = draft ?? settings
  const { carriers } = settings

  const save = useMutation({
    mutationFn: (submitted: AlertSettings) => founderClient.call(alerts.putSettings, { body: toBody(submitted) }),
    onSuccess(saved, submitted) {
      client.setQueryData(keyOf(alerts.getSettings, {}), saved)
      // Keep input that was typed while saving.
      setDraft((latest) => (latest === submitted ? undefined : latest))
      toast({ title: texts.toasts.saved })
    },
    onError: (error) => toastError(error, texts.toasts.saveFailed, texts.toasts.saveFailedWhy),
  })

  function change(part: Partial<AlertSettings>) {
    setProblem(undefined)
    setDraft({ ...shown, ...part })
  }

  function submit(event: FormEvent) {
    event.preventDefault()
    if (save.isPending) return
    const found = problemOf(shown)
    setProblem(found)
    if (found !== undefined) return form.current?.querySelector<HTMLInputElement>(`#${fieldIds[found.field]}`)?.focus()
    save.mutate(shown)
  }

  const toggle = (type: AlertType, isOn: boolean) =>
    change({ alertTypes: alertTypes.filter((each) => (each === type ? isOn : shown.alertTypes.includes(each))) })

  const errorOf = (field: AlertProblem['field']) => (problem?.field === field ? problem.text : undefined)
  return (
    <form className="con-form" onSubmit={submit} noValidate ref={form}>
      <ChannelRow
        id={fieldIds.emailAddress}
        label={texts.settings.email}
        field={texts.settings.emailAddress}
        type="email"
        autoComplete="email"
        maxLength={254}
        placeholder={texts.settings.emailExample}
        enabled={shown.emailEnabled}
        value={shown.emailAddress ?? ''}
        error={errorOf('emailAddress')}
        hint={carriers.email === 'log' ? texts.services.emailLog : texts.services[carriers.email]}
        onEnabled={(emailEnabled) => change({ emailEnabled })}
        onValue={(emailAddress) => change({ emailAddress })}
      />
      <ChannelRow
        id={fieldIds.smsPhoneNumber}
        label={texts.settings.sms}
        field={texts.settings.phone}
        type="tel"
        autoComplete="tel"
        maxLength={24}
        placeholder={texts.settings.phoneExample}
        enabled={shown.smsEnabled}
        value={shown.smsPhoneNumber ?? ''}
        error={errorOf('smsPhoneNumber')}
        hint={
          <>
            {texts.settings.phoneHint}
            <br />
            {carriers.sms === 'log' ? texts.services.smsLog : texts.services.twilio}
          </>
        }
        onEnabled={(smsEnabled) => change({ smsEnabled })}
        onValue={(smsPhoneNumber) => change({ smsPhoneNumber })}
      />
      {!shown.emailEnabled && !shown.smsEnabled && <p className="hint">{texts.services.off}</p>}
      <fieldset className="alert-types">
        <legend className="sr">{texts.settings.types}</legend>
        {alertTypes.map((type) => (
          <Checkbox
            key={type}
            label={texts.type[type]}
            checked={shown.alertTypes.includes(type)}
            onChange={(event) => toggle(type, event.target.checked)}
          />
        ))}
      </fieldset>
      <div className="con-acts alert-acts">
        <Button variant="primary" type="submit" busy={save.isPending}>
          {save.isPending ? texts.settings.saving : texts.settings.save}
        </Button>
        {children}
      </div>
      {draft !== undefined && <p className="hint">{texts.settings.unsaved}</p>}
    </form>
  )
}

interface ChannelRowProps extends Pick<ComponentProps<'input'>, 'type' | 'autoComplete' | 'placeholder' | 'maxLength'> {
  id: string
  /** Label beside the switch. */
  label: string
  /** Accessible name of the field. */
  field: string
  enabled: boolean
  value: string
  hint: ReactNode
  error: string | undefined
  onEnabled: (enabled: boolean) => void
  onValue: (value: string) => void
}

/** A switch and the address of its channel, which is editable while the switch is on. */
function ChannelRow(props: ChannelRowProps) {
  const { id, label, field, enabled, value, hint, error, onEnabled, onValue, ...rest } = props
  const noteId = `${id}-note`
  return (
    <div className="alert-channel">
      <Switch label={label} checked={enabled} onChange={onEnabled} />
      <span className="alert-name" aria-hidden="true">
        {label}
      </span>
      <Input
        {...rest}
        id={id}
        aria-label={field}
        disabled={!enabled}
        value={value}
        aria-invalid={error === undefined ? undefined : true}
        aria-describedby={noteId}
        onChange={(event) => onValue(event.target.value)}
      />
      <div id={noteId} className="alert-note">
        {error !== undefined && (
          <p className="error" role="alert">
            <CircleAlert className="ic ic-sm" />
            {error}
          </p>
        )}
        <p className="hint">{hint}</p>
      </div>
    </div>
  )
}
