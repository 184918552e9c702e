import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Client } from '@privity/client'
import type { Invitation } from '@privity/contract/organization'
import type { User } from '@privity/contract/session'
import { messageFor } from '../../../app/callError.ts'
import { useDateTime } from '../../../i18n/dateTime.ts'
import { EmptyState } from '../../../ui/feedback/EmptyState.tsx'
import { Panel } from '../../../ui/panel/Panel.tsx'
import { PagedTable, usePages } from '../../../ui/table/PagedTable.tsx'
import { invitationColumns } from './invitationColumns.tsx'
import { InvitationLink, NewInvitation } from './NewInvitation.tsx'
import { invitationsQuery, refreshOrganization } from '../queries.ts'
import { toast } from '../../../ui/toast/toastStore.ts'
import { organizationTexts } from '../texts.ts'
import { ConfirmAction } from '../../../app/ConfirmAction.tsx'
import '../../../ui/field/formLine.css'

const hasEnded = ({ state }: Invitation) => state !== 'open'

/** Form for new invitations and the list of existing ones, with the users who accepted them. */
export function Invitations({ client, me }: { client: Client; me: User }) {
  const texts = organizationTexts.invitations
  const pages = usePages('')
  const list = useQuery(invitationsQuery(client, pages.after))
  const { formatDate, formatTime } = useDateTime()
  const [link, setLink] = useState<string>()
  const [revoked, setRevoked] = useState<Invitation>()
  const format = (ms: number) => `${formatDate(ms)}, ${formatTime(ms)}`
  return (
    <Panel title={texts.title} flush>
      <div className="form-new">
        <p className="form-lead">{texts.lead}</p>
        <NewInvitation client={client} me={me} onMade={setLink} />
      </div>
      <PagedTable
        fetching={list}
        problem={`${texts.notLoaded} ${messageFor(list.error, '')}`}
        none={pages.page === 1 && <EmptyState title={texts.none}>{texts.noneHint}</EmptyState>}
        label={texts.table}
        columns={invitationColumns({ me, format, onRevoke: setRevoked })}
        rows={list.data?.invitations}
        isOff={hasEnded}
        pages={pages}
        next={list.data?.next}
      />
      <InvitationLink link={link} onClose={() => setLink(undefined)} />
      {revoked && (
        <ConfirmAction
          title={texts.revokeTitle}
          description={texts.revokeHint}
          confirmLabel={texts.revokeConfirm}
          busyLabel={texts.revoking}
          act={() => client.organization.revokeInvitation(revoked.id)}
          onSuccess={() => toast({ title: texts.revoked, description: texts.revokedHint })}
          onSettled={refreshOrganization}
          failed={texts.notRevoked}
          failedHint={texts.notRevokedHint}
          onClose={() => setRevoked(undefined)}
        />
      )}
    </Panel>
  )
}
