import { skipToken, useQuery } from '@tanstack/react-query'
import { isCallError } from '../../../app/callError.ts'
import { invitation } from '../../../app/invitation/invitation.ts'
import { loadClient } from '../../../app/session.ts'
import { useStore } from '../../../ui/useStore.ts'
import { authTexts } from '../texts.ts'

/** This tab's invitation and the server's data about it, fetched again by each form that opens. */
export function useInvitation() {
  const token = useStore(invitation)
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['invitation', token],
    queryFn: token === undefined ? skipToken : async () => (await loadClient()).organization.checkInvitation(token),
    staleTime: 0,
  })
  const texts = authTexts.invitation
  const unknown = isPending ? texts.checking : texts.unchecked
  return {
    token,
    isInvalid: token !== undefined && isCallError(error) && error.code === 'INVITATION_INVALID',
    lead: data ? texts.lead(data) : unknown,
    checkAgain: () => void refetch(),
  }
}
