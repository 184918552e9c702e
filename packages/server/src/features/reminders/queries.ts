import { limits } from '@privity/contract/limits'
import type { UserRow } from '../../core/database/tables/users.ts'
import type { Reader, Tx } from '../../core/database/types.ts'

/** Users with a message that they have not read and that expires after `after` and until `until`. */
export const selectExpectant = (db: Reader, after: number, until: number) =>
  db.all<{ user_id: string }>(
    `select distinct case when m.sender_id = c.user_id_1 then c.user_id_2 else c.user_id_1 end as user_id
     from messages m join connections c on c.id = m.connection_id
     where m.expires_at > ? and m.expires_at <= ? and m.deletion is null
       and m.seq > case when m.sender_id = c.user_id_1 then c.read_seq_2 else c.read_seq_1 end`,
    [after, until],
  )

/**
 * Claims the reminder of a user: undefined for one with push notifications, or who was reminded and has not been here
 * since. A date from a clock that was ahead holds back none.
 */
export const claimReminder = (tx: Tx, userId: string, now: number) =>
  tx.get<Pick<UserRow, 'email'>>(
    `update users set reminded_at = ? where id = ? and is_active = 1 and suspended = 0
       and not exists (select 1 from push_subscriptions p where p.user_id = users.id)
       and (reminded_at = 0 or reminded_at > ?
         or exists (select 1 from sessions s where s.user_id = users.id and s.last_used_at > users.reminded_at))
     returning email`,
    [now, userId, now + limits.clockTolerance],
  )

const untilSetting = 'reminders_until'

/** Up to which expiry messages were looked through; 0 before the first time. */
export async function selectReminderEnd(db: Reader): Promise<number> {
  const row = await db.get<{ value: string }>('select value from settings where key = ?', [untilSetting])
  return Number(row?.value ?? 0)
}

export const putReminderEnd = (tx: Tx, until: number) =>
  tx.run('insert into settings (key, value) values (?, ?) on conflict (key) do update set value = excluded.value', [
    untilSetting,
    String(until),
  ])
