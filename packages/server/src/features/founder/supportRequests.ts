import type { Received, Result } from '@privity/contract/endpoint'
import { AppError } from '@privity/contract/errors'
import { founderSupportRequests, type ListedRequest } from '@privity/contract/founder/supportRequests'
import type { FastifyInstance } from 'fastify'
import { audit } from '../../core/audit/audit.ts'
import type { Core } from '../../core/core.ts'
import type { Reader, Tx } from '../../core/database/types.ts'
import type { Founder } from '../../core/http/guards.ts'
import { implement } from '../../core/http/implement.ts'
import type { SupportRequestRow } from '../../core/database/tables/founder.ts'
import type { UserRow } from '../../core/database/tables/users.ts'

type RequestOfMember = SupportRequestRow & Pick<UserRow, 'username' | 'email' | 'first_name' | 'last_name'>

const listed = `select r.*, u.username, u.email, u.first_name, u.last_name
  from support_requests r join users u on u.id = r.user_id`

interface RequestFilter {
  state: SupportRequestRow['state'] | undefined
  after: string | undefined
  limit: number
}

/** Ids grow with time: descending ids are newest first. */
function selectRequests(db: Reader, { state, after, limit }: RequestFilter): Promise<RequestOfMember[]> {
  const conditions = [...(state === undefined ? [] : ['r.state = ?']), ...(after === undefined ? [] : ['r.id < ?'])]
  const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`
  const params = [state, after].filter((value) => value !== undefined)
  return db.all(`${listed} ${where} order by r.id desc limit ?`, [...params, limit])
}

const selectRequest = (db: Reader, id: string) => db.get<RequestOfMember>(`${listed} where r.id = ?`, [id])

const countOpenRequests = async (db: Reader): Promise<number> =>
  (await db.get<{ open: number }>("select count(*) as open from support_requests where state = 'open'"))?.open ?? 0

const updateState = (tx: Tx, id: string, state: SupportRequestRow['state']) =>
  tx.run('update support_requests set state = ? where id = ?', [state, id])

const toListed = ({ secrets }: Core, row: RequestOfMember): ListedRequest => ({
  id: row.id,
  reference: row.reference,
  subject: secrets.decryptAtRest(row.subject),
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

async function listRequests(
  core: Core,
  { state, after, limit }: Received<typeof founderSupportRequests.list>['query'],
): Promise<Result<typeof founderSupportRequests.list>> {
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
async function getRequest(
  core: Core,
  { address }: Founder,
  id: string,
): Promise<Result<typeof founderSupportRequests.get>> {
  const row = await core.db.write(async (tx) => {
    const found = await requestOf(tx, id)
    const details = { reference: found.reference }
    const at = core.clock.now()
    await audit(tx, { action: 'support_request_opened', actorId: 'founder', targetId: id, address, details, at })
    return found
  })
  return { ...toListed(core, row), message: core.secrets.decryptAtRest(row.message) }
}

/** The author sees the state too. A call that changes nothing writes no entry. */
function setRequestState(
  core: Core,
  { address }: Founder,
  id: string,
  { state }: Received<typeof founderSupportRequests.setState>['body'],
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

export function mountFounderSupportRequests(app: FastifyInstance, core: Core): void {
  implement(app, core, founderSupportRequests, {
    list: ({ query }) => listRequests(core, query),
    get: ({ founder, params }) => getRequest(core, founder, params.id),
    setState: ({ founder, params, body }) => setRequestState(core, founder, params.id, body),
  })
}
