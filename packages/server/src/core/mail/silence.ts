import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../config/types.ts'
import type { Db, Tx } from '../database/types.ts'

const restoredSetting = 'restored_silently'

/** Marks a restored database: its servers send no email, text message or push until the operator allows it. */
export const markRestored = (tx: Tx) =>
  tx.run('insert into settings (key, value) values (?, ?) on conflict (key) do nothing', [restoredSetting, '1'])

/**
 * Returns the configuration to run with. A restored copy may be a drill, started with the environment of the real
 * server: it sends no email, no text message and no push until it is started once with RESTORED_MAILS=1.
 */
export async function silenceIfRestored(config: Config, db: Db, log: FastifyBaseLogger): Promise<Config> {
  if ((await db.read.get('select 1 from settings where key = ?', [restoredSetting])) === undefined) return config
  if (config.restoredMails) {
    await db.write((tx) => tx.run('delete from settings where key = ?', [restoredSetting]))
    return config
  }
  log.warn(
    'The database was restored from a backup: no email, no text message and no push is sent. Start once with RESTORED_MAILS=1 to send them again.',
  )
  return { ...config, mail: undefined, pushHosts: [], alerts: { sendgrid: undefined, twilio: undefined } }
}
