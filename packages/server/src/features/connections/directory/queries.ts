import { limits } from '@privity/contract/limits'
import type { ConnectionRequestRow } from '../../../core/database/tables/connections.ts'
import type { Reader, Tx } from '../../../core/database/types.ts'
import { type ParticipantRow, participantColumns } from '../queries.ts'

/**
 * The one rule of whom a member finds, asks and accepts: another active user `u` of the organization. Binds the
 * organization's id and the member's.
 */
const isColleague = 'u.organization_id = ? and u.id <> ? and u.is_active = 1 and u.suspended = 0'

/** The organization of an active user, with its policy; undefined for anyone else. */
export const selectOrganization = (db: Reader, userId: string) =>
  db.get<{ id: string; policy: string }>(
    `select o.id, o.policy from users u join organizations o on o.id = u.organization_id
     where u.id = ? and u.is_active = 1 and u.suspended = 0`,
    [userId],
  )

export const selectColleague = (db: Reader, organizationId: string, userId: string, colleagueId: string) =>
  db.get<ParticipantRow>(
    `select ${participantColumns.map((column) => `u.${column}`).join(', ')} from users u where ${isColleague} and u.id = ?`,
    [organizationId, userId, colleagueId],
  )

export interface ColleagueRow {
  id: string
  first_name: string
  last_name: string
  is_connected: number
  is_asked: number
  is_asking: number
}

/** Characters after which a word of a name begins. */
const wordBounds = [' ', '-', "'", '’', '.']

const escapeLike = (word: string) => word.replaceAll(/[\\%_]/g, String.raw`\$&`)

const hasNameWord = `(${["u.name_key like ? escape '\\'", ...wordBounds.map(() => "u.name_key like ? escape '\\'")].join(' or ')})`
const nameWordParams = (word: string) => {
  const escaped = escapeLike(word)
  return [`${escaped}%`, ...wordBounds.map((bound) => `%${bound}${escaped}%`)]
}

const exists = (query: string, name: string) => `case when exists (${query}) then 1 else 0 end as ${name}`

/**
 * Colleagues whose names have all these words, by name. The index of words narrows the search; it also holds words of
 * email addresses and usernames, so the names are compared too.
 */
export function selectColleagues(
  db: Reader,
  { organizationId, userId, words, now }: { organizationId: string; userId: string; words: string[]; now: number },
  limit: number,
): Promise<ColleagueRow[]> {
  const [longest = ''] = words.toSorted((one, other) => other.length - one.length)
  return db.all(
    `select u.id, u.first_name, u.last_name,
       ${exists(
         `select 1 from connections c where (c.user_id_1 = u.id and c.user_id_2 = ?)
          or (c.user_id_1 = ? and c.user_id_2 = u.id)`,
         'is_connected',
       )},
       ${exists(`select 1 from connection_requests r where r.from_id = ? and r.to_id = u.id and ${isShownOpen}`, 'is_asked')},
       ${exists(`select 1 from connection_requests r where r.from_id = u.id and r.to_id = ? and ${isOpen}`, 'is_asking')}
     from users u
     where ${isColleague} and ${words.map(() => hasNameWord).join(' and ')}
       and u.id in (select w.user_id from user_words w where w.organization_id = ? and w.word >= ? and w.word < ?)
     order by u.name_key, u.id limit ?`,
    [
      userId,
      userId,
      userId,
      now,
      userId,
      now,
      organizationId,
      userId,
      ...words.flatMap(nameWordParams),
      organizationId,
      longest,
      `${longest}\u{10FFFF}`,
      limit,
    ],
  )
}

/** A request `r` that its recipient can answer. Binds the time. */
const isOpen = "r.state = 'open' and r.expires_at > ?"

/** A request `r` that its sender sees as open: also a declined one. Binds the time. */
const isShownOpen = "r.state <> 'withdrawn' and r.expires_at > ?"

export interface NamedRequest extends ConnectionRequestRow {
  first_name: string
  last_name: string
}

/** Requests by members who are no longer active or left the organization are left out. */
export const selectReceived = (db: Reader, organizationId: string, userId: string, now: number) =>
  db.all<NamedRequest>(
    `select r.*, u.first_name, u.last_name from connection_requests r join users u on u.id = r.from_id
     where r.to_id = ? and ${isOpen} and ${isColleague} order by r.id desc limit ?`,
    [userId, now, organizationId, userId, limits.connectionRequestsListed],
  )

/** Includes requests to members who are suspended meanwhile: a missing one would reveal the suspension. */
export const selectSent = (db: Reader, userId: string, now: number) =>
  db.all<NamedRequest>(
    `select r.*, u.first_name, u.last_name from connection_requests r join users u on u.id = r.to_id
     where r.from_id = ? and ${isShownOpen} order by r.id desc`,
    [userId, now],
  )

export const selectRequest = (db: Reader, fromId: string, toId: string) =>
  db.get<ConnectionRequestRow>('select * from connection_requests where from_id = ? and to_id = ?', [fromId, toId])

export const putRequest = (tx: Tx, row: ConnectionRequestRow) =>
  tx.run(
    `insert into connection_requests (id, from_id, to_id, state, created_at, expires_at) values (?, ?, ?, ?, ?, ?)
     on conflict (from_id, to_id) do update set id = excluded.id, state = excluded.state,
       created_at = excluded.created_at, expires_at = excluded.expires_at`,
    [row.id, row.from_id, row.to_id, row.state, row.created_at, row.expires_at],
  )

/** The open request, if it is one to this user. */
export const selectOpen = (db: Reader, id: string, toId: string, now: number) =>
  db.get<ConnectionRequestRow>(`select r.* from connection_requests r where r.id = ? and r.to_id = ? and ${isOpen}`, [
    id,
    toId,
    now,
  ])

/** The request that its sender can withdraw, if it is this user's. */
export const selectWithdrawable = (db: Reader, id: string, fromId: string, now: number) =>
  db.get<ConnectionRequestRow>(
    `select r.* from connection_requests r where r.id = ? and r.from_id = ? and ${isShownOpen}`,
    [id, fromId, now],
  )

export const updateRequest = (tx: Tx, id: string, state: ConnectionRequestRow['state'], expiresAt: number) =>
  tx.run('update connection_requests set state = ?, expires_at = ? where id = ?', [state, expiresAt, id])

/** Deletes the requests between these two. */
export const deleteOfPair = (tx: Tx, one: string, other: string) =>
  tx.run('delete from connection_requests where (from_id = ? and to_id = ?) or (from_id = ? and to_id = ?)', [
    one,
    other,
    other,
    one,
  ])

/** Deletes all requests of an organization's members, and returns whom they concerned. */
export const deleteOfOrganization = (tx: Tx, organizationId: string) =>
  tx.all<Pick<ConnectionRequestRow, 'from_id' | 'to_id'>>(
    `delete from connection_requests where from_id in (select id from users where organization_id = ?)
     returning from_id, to_id`,
    [organizationId],
  )
