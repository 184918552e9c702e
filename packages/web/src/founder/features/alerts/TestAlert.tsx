import { useState } from 'react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { type AlertDelivery, alerts, type AlertType, alertTypes } from '@privity/contract/founder/alerts'
import { toastError } from '../../../app/callError.ts'
import { Button } from '../../../ui/button/Button.tsx'
import { Select } from '../../../ui/choice/Select.tsx'
import { toast } from '../../../ui/toast/toastStore.ts'
import { founderClient } from '../../console/client.ts'
import { alertTexts as texts } from './texts.ts'

function describeDeliveries(deliveries: readonly AlertDelivery[]): string {
  const sent = deliveries.filter(({ state }) => state === 'sent').map(({ channel }) => texts.last.channel[channel])
  const isLogged = deliveries.some(({ state }) => state === 'logged')
  return [
    ...(sent.length > 0 ? [texts.toasts.sentTo(sent.join(', '))] : []),
    ...(isLogged ? [texts.toasts.logged] : []),
  ].join(' ')
}

const problemId = 'test-alert-problem'

/** Sends a test alert with the saved settings and shows the result. */
export function TestAlert() {
  const client = useQueryClient()
  const [type, setType] = useState<AlertType | ''>('mass_signup')
  const [isMissing, setMissing] = useState(false)
  const test = useMutation({
    mutationFn: (alertType: AlertType) => founderClient.call(alerts.test, { body: { alertType } }),
    onSuccess: ({ deliveries }) => toast({ title: texts.toasts.sent, description: describeDeliveries(deliveries) }),
    onError: (error) => toastError(error, texts.toasts.testFailed, texts.toasts.testFailedWhy),
    onSettled: () => client.invalidateQueries({ queryKey: [alerts.list.path] }),
  })

  function send() {
    setMissing(type === '')
    if (type !== '') test.mutate(type)
  }

  return (
    <div className="alert-test">
      <Select
        label={texts.test.type}
        value={type}
        options={[
          { value: '', label: texts.test.none },
          ...alertTypes.map((value) => ({ value, label: texts.type[value] })),
        ]}
        aria-invalid={isMissing || undefined}
        aria-describedby={isMissing ? problemId : undefined}
        onChange={(chosen) => {
          setMissing(false)
          setType(chosen)
        }}
      />
      <Button busy={test.isPending} onClick={send}>
        {!test.isPending && <Send className="ic" />}
        {test.isPending ? texts.test.sending : texts.test.send}
      </Button>
      {isMissing && (
        <p className="error" id={problemId} role="alert">
          {texts.test.missing}
        </p>
      )}
    </div>
  )
}
