import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import type { founderSupportRequests as contract, ListedRequest } from '@privity/contract/founder/supportRequests'
import { audit } from '../../../core/audit/audit.ts'
import type { Core } from '../../../core/core.ts'
import type { Reader } from '../../../core/database/types.ts'
import type { Founder } from '../../../core/http/guards.ts'
import { countOpenRequests, type RequestOfMember, selectRequest, selectRequests, updateState } from './queries.ts'

const toListed = ({ secrets }: Core, row: RequestOfMember): ListedRequest => ({
  id: row.id,
  reference: row.reference,
  subject: secrets.openAtRest(row.subject),
  category: row.category,
  priority: row.priority,
  state: row.state,
  createdAt: row.created_at,
  from: {
    id: row.user_id,
    username: row.username,
    firstName: row.first_name,
    lastName: row.last_name,
    email: row.email,
  },
})

async function requestOf(db: Reader, id: string): Promise<RequestOfMember> {
  const row = await selectRequest(db, id)
  if (row === undefined) throw new AppError('REQUEST_NOT_FOUND')
  return row
}

export async function listRequests(
  core: Core,
  { state, after, limit }: Received<typeof contract.list>['query'],
): Promise<Result<typeof contract.list>> {
  const { read } = core.db
  const rows = await selectRequests(read, { state, after, limit: limit + 1 })
  const page = rows.slice(0, limit)
  return {
    requests: page.map((row) => toListed(core, row)),
    next: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
    open: await countOpenRequests(read),
  }
}

/** Nobody reads a member's message without an audit entry. */
export async function getRequest(core: Core, { address }: Founder, id: string): Promise<Result<typeof contract.get>> {
  const row = await core.db.write(async (tx) => {
    const found = await requestOf(tx, id)
    const details = { reference: found.reference }
    const at = core.clock.now()
    await audit(tx, { action: 'support_request_opened', actorId: 'founder', targetId: id, address, details, at })
    return found
  })
  return { ...toListed(core, row), message: core.secrets.openAtRest(row.message) }
}

/** The author sees the state too. A call that changes nothing writes no entry. */
export function setRequestState(
  core: Core,
  { address }: Founder,
  id: string,
  { state }: Received<typeof contract.setState>['body'],
): Promise<ListedRequest> {
  return core.db.write(async (tx) => {
    const row = await requestOf(tx, id)
    if (row.state !== state) {
      await updateState(tx, id, state)
      const details = { reference: row.reference, before: row.state, after: state }
      const at = core.clock.now()
      await audit(tx, { action: 'support_request_changed', actorId: 'founder', targetId: id, address, details, at })
    }
    return toListed(core, { ...row, state })
  })
}
