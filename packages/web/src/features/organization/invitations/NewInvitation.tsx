import { type FormEvent, useState } from 'react'
import { useMutation } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import { limits } from '@privity/contract/limits'
import type { Role, User } from '@privity/contract/session'
import { Button } from '../../../ui/button/Button.tsx'
import { SelectField } from '../../../ui/choice/Select.tsx'
import { FormError } from '../../../ui/feedback/Errors.tsx'
import { refreshOrganization } from '../queries.ts'
import { invitedRoles } from '../roles.tsx'
import { organizationTexts } from '../texts.ts'
import { withIdentity } from '../Reauthentication.tsx'
import { LinkDialog } from '../../../app/invitation/LinkDialog.tsx'
import { messageFor } from '../../../app/callError.ts'
import '../../../ui/field/formLine.css'

const hour = 3_600_000
const day = 24 * hour
const spans = [limits.minInvitation, day, 3 * day, limits.invitationUsual, limits.maxInvitation]

interface NewInvitationProps {
  client: Client
  me: User
  onMade: (link: string) => void
}

/** Form that creates an invitation link. */
export function NewInvitation({ client, me, onMade }: NewInvitationProps) {
  const { invitations: texts, roles } = organizationTexts
  const [role, setRole] = useState<Role>('user')
  const [span, setSpan] = useState<number>(limits.invitationUsual)
  const create = useMutation({
    mutationFn: () => withIdentity(() => client.organization.invite({ role, validFor: span })),
    onSuccess(made) {
      onMade(made.link)
      setRole('user')
      void refreshOrganization()
    },
  })

  function submit(event: FormEvent) {
    event.preventDefault()
    if (!create.isPending) create.mutate()
  }

  const spanWords = (ms: number) => (ms < day ? texts.hours(Math.round(ms / hour)) : texts.days(Math.round(ms / day)))
  return (
    <>
      <form className="form-line" onSubmit={submit}>
        <SelectField
          label={texts.role}
          value={role}
          options={invitedRoles(me).map((value) => ({ value, label: roles[value] }))}
          onChange={setRole}
        />
        <SelectField
          label={texts.validFor}
          value={String(span)}
          options={spans.map((ms) => ({ value: String(ms), label: spanWords(ms) }))}
          onChange={(chosen) => setSpan(Number(chosen))}
        />
        <Button type="submit" variant="primary" busy={create.isPending}>
          {create.isPending ? texts.creating : texts.create}
        </Button>
      </form>
      <FormError
        title={texts.failed}
        message={create.isError ? messageFor(create.error, texts.failedHint) : undefined}
      />
    </>
  )
}

/** Shows a new invitation's link, which is not shown again. */
export function InvitationLink({ link, onClose }: { link: string | undefined; onClose: () => void }) {
  return <LinkDialog link={link} onClose={onClose} texts={organizationTexts.invitations} />
}
