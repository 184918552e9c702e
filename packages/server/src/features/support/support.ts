import { randomInt } from 'node:crypto'
import { codeAlphabet } from '@privity/contract/connectionCode'
import type { Received, Result } from '@privity/contract/endpoint'
import { limits } from '@privity/contract/limits'
import type { support as contract, SupportRequest } from '@privity/contract/support'
import { auditCall } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Tx } from '../../core/database/types.ts'
import type { Caller } from '../../core/http/guards.ts'
import { newId } from '../../core/ids.ts'
import { type Count, countSuccess } from '../../core/rateLimits/outcomes.ts'
import type { SupportRequestRow } from '../../core/database/tables/founder.ts'
import { mailNewRequests } from './mail.ts'
import { insertRequest, selectByClientId, selectByReference, selectOwnRequests } from './queries.ts'

const alphabet = codeAlphabet.letters + codeAlphabet.digits
const randomGroup = () => Array.from({ length: 4 }, () => alphabet[randomInt(alphabet.length)]).join('')

async function createReference(tx: Tx): Promise<string> {
  for (;;) {
    const reference = `PR-${randomGroup()}-${randomGroup()}`
    if ((await selectByReference(tx, reference)) === undefined) return reference
  }
}

const toRequest = ({ secrets }: Core, row: SupportRequestRow): SupportRequest => ({
  id: row.id,
  reference: row.reference,
  subject: secrets.decryptAtRest(row.subject),
  category: row.category,
  message: secrets.decryptAtRest(row.message),
  priority: row.priority,
  state: row.state,
  createdAt: row.created_at,
})

export async function listRequests(core: Core, userId: string): Promise<Result<typeof contract.list>> {
  return (await selectOwnRequests(core.db.read, userId, limits.supportRequestsListed)).map((row) =>
    toRequest(core, row),
  )
}

type Draft = Received<typeof contract.create>['body']

async function storeRequest(core: Core, tx: Tx, caller: Caller, draft: Draft): Promise<SupportRequestRow> {
  const now = core.clock.now()
  const row: SupportRequestRow = {
    id: newId(now),
    user_id: caller.userId,
    client_id: draft.id ?? null,
    reference: await createReference(tx),
    category: draft.category,
    priority: draft.priority,
    subject: core.secrets.encryptAtRest(draft.subject),
    message: core.secrets.encryptAtRest(draft.message),
    state: 'open',
    created_at: now,
    mailed_at: null,
  }
  await insertRequest(tx, row)
  await auditCall(tx, caller, {
    action: 'support_request_created',
    targetId: row.id,
    details: { reference: row.reference, category: row.category, priority: row.priority },
    at: now,
  })
  tx.afterCommit(() => core.background.run('support requests', () => mailNewRequests(core)))
  return row
}

/**
 * Stores a request, encrypted at rest, and has it mailed if mail is set up; the response waits for the disk only. A
 * retry after a lost response returns the stored request and is not counted.
 */
export async function createRequest(core: Core, caller: Caller, draft: Draft): Promise<SupportRequest> {
  const findStored = async (db: Core['db']['read']) =>
    draft.id === undefined ? undefined : selectByClientId(db, caller.userId, draft.id)
  const stored = await findStored(core.db.read)
  if (stored !== undefined) return toRequest(core, stored)
  const store = async (tx: Tx) => (await findStored(tx)) ?? (await storeRequest(core, tx, caller, draft))
  const counts: Count[] = [['supportRequest', caller.userId]]
  return toRequest(core, await countSuccess(core.rates, counts, () => core.db.write(store)))
}
