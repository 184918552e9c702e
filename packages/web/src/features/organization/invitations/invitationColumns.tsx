import { deletedUserNumber } from '@privity/contract/deletedUser'
import type { Invitation, InvitationParty } from '@privity/contract/organization'
import type { User } from '@privity/contract/session'
import { machineTime } from '../../../i18n/dateTime.ts'
import { fullName } from '../../../i18n/names.ts'
import { Button } from '../../../ui/button/Button.tsx'
import type { Column } from '../../../ui/table/columns.ts'
import { RoleBadge, invitedRoles } from '../roles.tsx'
import { organizationTexts } from '../texts.ts'
import '../../../ui/badge/badge.css'

const looks = { open: 'badge-success', used: 'badge-info', revoked: '', expired: '' }

/** Name of a member, or number of a deleted user; undefined if unknown. */
export function partyWords(party: InvitationParty | null): string | undefined {
  if (party === null) return undefined
  if (party.kind === 'member') return fullName(party)
  return organizationTexts.invitations.deletedUser(deletedUserNumber(party.id))
}

interface InvitationColumns {
  me: User
  /** Formats a date with its time. */
  format: (ms: number) => string
  onRevoke: (invitation: Invitation) => void
}

export function invitationColumns({ me, format, onRevoke }: InvitationColumns) {
  const { invitations: texts, roles } = organizationTexts
  const { columns } = texts
  const time = (ms: number) => (
    <time className="num" dateTime={machineTime(ms)}>
      {format(ms)}
    </time>
  )
  const made: Column<Invitation>[] = [
    { label: columns.role, placeholder: 70, cell: ({ role }) => <RoleBadge role={role} /> },
    {
      label: columns.state,
      placeholder: 60,
      cell: ({ state }) => <span className={`badge ${looks[state]}`}>{texts.states[state]}</span>,
    },
    {
      label: columns.created,
      placeholder: 120,
      cell: ({ createdAt, createdBy, expiresAt }) => (
        <span>
          {time(createdAt)}
          <span className="adm-by">
            {texts.by(partyWords(createdBy) ?? (expiresAt === null ? texts.server : texts.gone))}
          </span>
        </span>
      ),
    },
    {
      label: columns.expires,
      placeholder: 120,
      cell: ({ expiresAt }) => (expiresAt === null ? texts.never : time(expiresAt)),
    },
    {
      label: columns.used,
      placeholder: 120,
      cell: ({ usedBy, usedAt }) =>
        usedAt === null ? (
          <span className="subtle">{texts.notUsed}</span>
        ) : (
          <span>
            {partyWords(usedBy) ?? texts.gone}
            <span className="adm-by">{time(usedAt)}</span>
          </span>
        ),
    },
    {
      label: columns.actions,
      right: true,
      placeholder: 70,
      cell: (invitation) => {
        const { role, state, createdAt } = invitation
        if (state !== 'open' || !invitedRoles(me).includes(role)) return null
        return (
          <Button
            variant="danger-quiet"
            size="sm"
            aria-label={texts.revokeOf(roles[role], format(createdAt))}
            onClick={() => onRevoke(invitation)}
          >
            {texts.revoke}
          </Button>
        )
      },
    },
  ]
  return made
}
