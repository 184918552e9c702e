import type { Reader } from '../../core/database/types.ts'

export async function countExpired(db: Reader, now: number, most: number): Promise<number> {
  const row = await db.get<{ expired: number }>(
    'select count(*) as expired from (select 1 as found from messages where expires_at <= ? limit ?) waiting',
    [now, most],
  )
  return row?.expired ?? 0
}

export async function oldestExpiry(db: Reader): Promise<number | undefined> {
  const row = await db.get<{ expires_at: number }>('select expires_at from messages order by expires_at limit 1')
  return row?.expires_at
}
