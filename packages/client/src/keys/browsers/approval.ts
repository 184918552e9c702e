import { type Browser, browsers as contract } from '@privity/contract/browsers'
import { type Bytes, fromBase64url, randomBytes, toBase64url } from '@privity/e2ee'
import { approvalCode, commitToApproval, fitsCommitment } from '@privity/e2ee/approvalCode'
import { type BrowserEntry, browserEntryHash } from '@privity/e2ee/browserEntry'
import type { Call } from '../../transport/call.ts'
import { CallError } from '../../transport/callError.ts'

/** How far a comparison is. `code`: the six digits, once both browsers know them. */
export type ComparisonState = { status: 'waiting' | 'approved' | 'ended' } | { status: 'comparing'; code: string }

/** A comparison of six digits between a new browser and one that approves it. */
export interface Comparison {
  /** Goes on as far as the other browser allows. */
  proceed(): Promise<ComparisonState>
  /** Withdraws the request, or refuses it. */
  end(): Promise<void>
}

/** A comparison as the approving browser sees it. */
export interface Approval extends Comparison {
  /** Gives the browser whose digits were compared the seeds that this one holds. */
  approve(): Promise<void>
}

export interface Approvals {
  /** Asks for the approval of this browser. */
  requestApproval(): Promise<Comparison>
  /** Answers the request of another browser. Throws APPROVAL_ENDED where there is none, or one that was answered. */
  answerApproval(browserId: string): Promise<Approval>
}

const ended = { status: 'ended' } as const

export function createApprovals(deps: {
  call: Call
  own: { userId: string; identityKey: string }
  /** Publishes what is due: that renews the entry of this browser. */
  visit(): Promise<void>
  /** The entry of the keys in use: a server could name another one, for which the digits would be equal. */
  ownEntry(): Promise<BrowserEntry | undefined>
  /** The browsers that the identity has signed. */
  list(): Promise<readonly Browser[]>
  /** Seals the seeds to the pair of this entry. Throws APPROVAL_ENDED if it is not listed any more. */
  approve(browserId: string, entryHash: string): Promise<void>
}): Approvals {
  const { call, list } = deps
  const { userId, identityKey } = deps.own
  const findById = async (browserId: string) => (await list()).find(({ entry }) => entry.browserId === browserId)

  const createEnd = (id: string) => async () => void (await call(contract.endApproval, { params: { id } }))

  return {
    async requestApproval() {
      await deps.visit()
      const own = await deps.ownEntry()
      if (!own) throw new CallError('APPROVAL_ENDED')
      const id = own.browserId
      const nonceOfNew = randomBytes(32)
      const entryHash = browserEntryHash(identityKey, own)
      const commitment = commitToApproval(entryHash, nonceOfNew)
      await call(contract.startApproval, { params: { id }, body: { commitment } })
      /** The first answer counts: a server that has seen both nonces could search for one that fits. */
      let answer: { approverId: string; nonceOfApprover: Bytes } | undefined

      return {
        async proceed() {
          const browsers = await list()
          const shown = browsers.find(({ entry }) => entry.browserId === id)
          if (shown?.isApproved) return { status: 'approved' }
          const approval = shown?.approval
          if (approval?.commitment !== commitment) return ended
          const { approverId, nonceOfApprover } = approval
          const isGone = approverId !== undefined && !browsers.some(({ entry }) => entry.browserId === approverId)
          if (isGone) return ended
          if (approverId === undefined || nonceOfApprover === undefined) return { status: 'waiting' }
          answer ??= { approverId, nonceOfApprover: fromBase64url(nonceOfApprover) }
          if (approval.nonceOfNew === undefined) {
            const body = { commitment, nonce: toBase64url(nonceOfNew) }
            await call(contract.revealApproval, { params: { id }, body })
          }
          return { status: 'comparing', code: approvalCode({ userId, entryHash, nonceOfNew, ...answer }) }
        },
        end: createEnd(id),
      }
    },

    async answerApproval(browserId) {
      const approver = await deps.ownEntry()
      const added = await findById(browserId)
      const commitment = added?.approval?.commitment
      if (!approver || !added || commitment === undefined) throw new CallError('APPROVAL_ENDED')
      const approverId = approver.browserId
      if (added.approval?.approverId === approverId) {
        // A page of this browser that has ended knew the nonce: the new browser has to begin again.
        await call(contract.endApproval, { params: { id: browserId } })
        throw new CallError('APPROVAL_ENDED')
      }
      const nonceOfApprover = randomBytes(32)
      const entryHash = browserEntryHash(identityKey, added.entry)
      const body = { commitment, approverId, nonce: toBase64url(nonceOfApprover) }
      await call(contract.answerApproval, { params: { id: browserId }, body })

      return {
        async proceed() {
          const shown = await findById(browserId)
          if (shown?.isApproved) return { status: 'approved' }
          const approval = shown?.approval
          if (approval?.commitment !== commitment || approval.approverId !== approverId) return ended
          if (approval.nonceOfNew === undefined) return { status: 'waiting' }
          const nonceOfNew = fromBase64url(approval.nonceOfNew)
          const compared = { userId, entryHash, approverId, nonceOfNew, nonceOfApprover }
          if (!fitsCommitment(commitment, compared)) return ended
          return { status: 'comparing', code: approvalCode(compared) }
        },
        approve: () => deps.approve(browserId, entryHash),
        end: createEnd(browserId),
      }
    },
  }
}
