import { limits } from '@privity/contract/limits'
import type { Core } from '../../../core/core.ts'
import { newId } from '../../../core/ids.ts'
import { sendAlert } from './channels.ts'
import { enabledChannels, readSettings } from './settings.ts'

/** When each server last sent such alerts, by a clock that nobody sets. */
const sentAt = new WeakMap<Core, number>()

/**
 * Sends alerts about these parts of the server that the database cannot keep, because its disk is full: one attempt on
 * each channel in 15 minutes, without a retry.
 */
export async function sendUnkept(core: Core, parts: readonly string[]): Promise<void> {
  const { clock, db, alertEndpoints } = core
  if (clock.even() - (sentAt.get(core) ?? -Infinity) < limits.alertWindow) return
  const settings = await readSettings(db.read)
  if (!settings.alertTypes.includes('system_error')) return
  sentAt.set(core, clock.even())
  const now = clock.now()
  const told = { type: 'system_error', kind: 'alert', address: null, event_count: null, held_back: 0 } as const
  for (const channel of enabledChannels(settings))
    for (const subject of parts) {
      const row = { ...told, id: newId(now), subject, created_at: now, channel, failures: 0, reason: null }
      await sendAlert(core, alertEndpoints, row, settings, new AbortController().signal)
    }
}
