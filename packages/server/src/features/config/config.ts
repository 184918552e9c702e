import type { Result } from '@privity/contract/endpoint'
import type { config as contract } from '@privity/contract/config'
import type { Core } from '../../core/core.ts'
import { version } from '../../core/config/config.ts'
import { healthWith, latestProblems } from '../health/health.ts'

/** Demo accounts: public knowledge, so they exist only if DEMO is on. */
export const demoAccounts = {
  username: 'demo',
  password: 'privity-demo-account-1',
  other: { username: 'demo-contact', password: 'privity-demo-account-2' },
} as const

/** Whether both demo accounts exist yet; until then signing in with them is refused. */
async function haveDemoAccounts({ db }: Core): Promise<boolean> {
  const names = [demoAccounts.username, demoAccounts.other.username]
  const row = await db.read.get<{ found: number }>(
    'select count(*) as found from users where username in (?, ?)',
    names,
  )
  return row?.found === names.length
}

export async function describeDeployment(core: Core): Promise<Result<typeof contract.get>> {
  const { config, clock } = core
  return {
    version,
    now: clock.now(),
    retention: config.retention,
    sendsEmail: core.mail.configured,
    ...(config.demo && (await haveDemoAccounts(core)) ? { demo: demoAccounts } : {}),
    ...(config.supportEmail === undefined ? {} : { supportEmail: config.supportEmail }),
  }
}

/**
 * Returns the status of the health without its reasons; `draining` after the server was told to stop. The state of the
 * audit log is left to the founder: an attacker who rewrote it would learn here that it was noticed.
 */
export async function publicHealth(core: Core): Promise<Result<typeof contract.health>> {
  if (core.isDraining()) return { status: 'draining', version }
  const problems = await latestProblems(core)
  return { status: healthWith(problems.filter((problem) => problem !== 'auditLog')), version }
}
