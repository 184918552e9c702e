import { limits } from '@privity/contract/limits'
import { expect, test } from 'vitest'
import {
  choose,
  createAlertServer,
  listed,
  raise,
  settled,
  toEmail,
  toPhone,
  twilio,
} from '../../../support/founder/alerts.ts'

const ahead = 60 * 24 * 60 * 60_000
const lock = (n: number) => ({ type: 'account_locked', address: `10.1.1.${n}` }) as const

test('an alert whose next attempt a clock ahead has dated is tried once the clock is right', async () => {
  await using scene = await createAlertServer()
  const { server, mail } = scene
  await choose(server, toEmail)
  mail.refuseWith(451)
  server.clock.ahead = ahead
  await raise(server, lock(1))
  await expect.poll(async () => (await listed(server))[0]?.deliveries[0]?.reason).toBe('busy')
  mail.refuseWith(undefined)
  server.clock.ahead = 0
  await server.advance(60_000)
  await settled(server, { email: 'sent' })
})

test('text messages that a clock ahead has dated use up none of now', async () => {
  await using scene = await createAlertServer({ env: twilio })
  const { server, services } = scene
  await choose(server, toPhone)
  server.clock.ahead = ahead
  for (let n = 0; n < limits.alertSms; n++) await raise(server, lock(n))
  await expect.poll(() => services.asked).toHaveLength(limits.alertSms)
  server.clock.ahead = 0
  await server.advance(60_000)
  await raise(server, lock(99))
  await expect.poll(() => services.asked).toHaveLength(limits.alertSms + 1)
})
