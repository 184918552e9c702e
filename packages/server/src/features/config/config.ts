import type { Result } from '@privity/contract/endpoint'
import type { config as contract } from '@privity/contract/config'
import type { Core } from '../../core/core.ts'
import { version } from '../../core/version.ts'

/** The demo accounts: known to everyone who can open the page, hence only where DEMO is on. */
export const demoAccounts = {
  username: 'demo',
  password: 'privity-demo-account-1',
  other: { username: 'demo-contact', password: 'privity-demo-account-2' },
} as const

/** While they are still being made, whoever signs in with them is refused. */
async function areMade({ db }: Core): Promise<boolean> {
  const names = [demoAccounts.username, demoAccounts.other.username]
  const row = await db.read.get<{ made: number }>('select count(*) as made from users where username in (?, ?)', names)
  return row?.made === names.length
}

export async function describeDeployment(core: Core): Promise<Result<typeof contract.get>> {
  const { config, clock } = core
  return {
    version,
    now: clock.now(),
    retention: config.retention,
    ...(config.demo && (await areMade(core)) ? { demo: demoAccounts } : {}),
    ...(config.supportEmail === undefined ? {} : { supportEmail: config.supportEmail }),
  }
}

/** `critical` when the database or the object store does not answer; `draining` once it was told to stop. */
export async function checkHealth({ db, storage, log, isDraining }: Core): Promise<Result<typeof contract.health>> {
  if (isDraining()) return { status: 'draining', version }
  try {
    await db.read.get('select 1')
    await storage.check()
    return { status: 'good', version }
  } catch (error) {
    log.error({ err: error }, 'health check')
    return { status: 'critical', version }
  }
}
