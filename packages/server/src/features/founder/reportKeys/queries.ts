import type { Reader, Tx } from '../../../core/database/types.ts'
import type { FounderReportKeyRow } from '../../../core/database/tables/founder.ts'

export const selectReportKeys = (db: Reader) =>
  db.all<FounderReportKeyRow>('select * from founder_report_keys order by created_at desc, id desc')

export const insertReportKey = (tx: Tx, { id, public_key, wrapped_seed, created_at }: FounderReportKeyRow) =>
  tx.run('insert into founder_report_keys (id, public_key, wrapped_seed, created_at) values (?, ?, ?, ?)', [
    id,
    public_key,
    wrapped_seed,
    created_at,
  ])

export const updateWrappedSeed = (tx: Tx, id: string, wrappedSeed: string) =>
  tx.run('update founder_report_keys set wrapped_seed = ? where id = ?', [wrappedSeed, id])
