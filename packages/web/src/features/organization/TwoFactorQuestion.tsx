import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { Confirm } from '../../ui/Confirm.tsx'
import { reachQuery } from './queries.ts'
import { organizationTexts } from './texts.ts'

interface TwoFactorQuestionProps {
  client: Client
  /** That it be required of everybody, or no longer. */
  kind: 'require' | 'release'
  onClose: () => void
  onConfirm: () => void
}

/** Asks before two-factor sign-in is required, saying of how many members, and before it no longer is. */
export function TwoFactorQuestion({ client, kind, onClose, onConfirm }: TwoFactorQuestionProps) {
  const texts = organizationTexts.policy[kind]
  const { data } = useQuery({ ...reachQuery(client), enabled: kind === 'require' })
  const concerned = data && organizationTexts.policy.concerned(data.withoutSecondFactor)
  return (
    <Confirm
      open
      onOpenChange={(open) => open || onClose()}
      title={texts.title}
      description={kind === 'require' && concerned ? `${texts.hint} ${concerned}` : texts.hint}
      confirmLabel={texts.confirm}
      tone={kind === 'require' ? 'primary' : 'danger'}
      onConfirm={() => {
        onClose()
        onConfirm()
      }}
    />
  )
}
