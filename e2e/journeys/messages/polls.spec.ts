import { openConversation } from '../../support/members/conversation.ts'
import { expect, test } from '../../support/members/pair.ts'
import { amara, helen } from '../../support/members/people.ts'
import { gapsOf, installClock, type Polls, setVisibility, stopTime } from '../../support/servers/polls.ts'

const password = 'a founder of the journeys'
test.use({ serverEnv: { FOUNDER_PASSWORD: password } })

/** Expects at least `times` requests, `seconds` apart; a response may count from the next second on. */
function expectEvery(seconds: number, path: string, polls: Polls, times: number): void {
  const asked = polls.askedAt(path)
  expect(asked.length, path).toBeGreaterThanOrEqual(times)
  for (const gap of gapsOf(asked))
    expect(Math.abs(gap - seconds), `${path} at ${asked.join(', ')}`).toBeLessThanOrEqual(2)
}

const unread = '/api/unread-counts'

test('unread counts are asked for every 5 seconds, one request at a time', async ({ openBrowser, enterAs }) => {
  const page = await openBrowser()
  await installClock(page)
  await enterAs(page, amara)
  await openConversation(page, helen)
  const polls = await stopTime(page)

  await test.step('every 5 seconds, also while the tab is hidden', async () => {
    await polls.run(20)
    await setVisibility(page, 'hidden')
    await polls.run(20)
    await setVisibility(page, 'visible')
    expectEvery(5, unread, polls, 6)
    expect(polls.askedAt(unread).length).toBeLessThanOrEqual(9)
  })

  await test.step('an answer that takes half a minute is waited for', async () => {
    const before = polls.askedAt(unread).length
    const release = await polls.hold(unread)
    await polls.run(30)
    expect(polls.askedAt(unread)).toHaveLength(before + 1)
    await release()
    await polls.run(8)
    expect(polls.askedAt(unread)).toHaveLength(before + 2)
  })

  await test.step('with background sync off, a hidden tab asks for nothing', async () => {
    const status = await page.evaluate(async () => {
      const [headers, body] = [{ 'content-type': 'application/json' }, JSON.stringify({ backgroundSync: false })]
      return (await fetch('/api/preferences', { method: 'PATCH', headers, body })).status
    })
    expect(status).toBe(200)
    await page.clock.resume()
    await page.reload()
    await openConversation(page, helen)
    const resting = await stopTime(page)
    await setVisibility(page, 'hidden')
    await resting.run(2)
    const before = resting.askedAt(unread).length
    await resting.run(30)
    expect(resting.askedAt(unread)).toHaveLength(before)
  })
})

test('the console asks at the specified intervals, one request at a time, until it is closed', async ({
  openBrowser,
  expectComplaint,
}) => {
  expectComplaint(/401 \(Unauthorized\) .*\/api\/founder\//)
  const page = await openBrowser()
  await installClock(page)
  await page.goto('/founder')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign In' }).click()
  await expect(page.getByRole('slider')).toBeVisible()
  await expect(page.getByText('No flagged messages')).toBeVisible()
  const polls = await stopTime(page)
  const founder = (path: string) => `/api/founder/${path}`

  await test.step('5, 10 and 30 seconds, also while the tab is hidden', async () => {
    await polls.run(40)
    await setVisibility(page, 'hidden')
    await polls.run(32)
    await setVisibility(page, 'visible')
    expectEvery(5, founder('realtime-stats'), polls, 12)
    for (const path of ['security-incidents', 'security-dashboard']) expectEvery(10, founder(path), polls, 6)
    for (const path of ['locked-accounts', 'flagged-messages', 'moderation-stats'])
      expectEvery(30, founder(path), polls, 2)
    for (const path of ['stats', 'users', 'alert-settings']) expect(polls.askedAt(founder(path)), path).toEqual([])
  })

  await test.step('an answer that takes half a minute is waited for', async () => {
    const path = founder('realtime-stats')
    const before = polls.askedAt(path).length
    const release = await polls.hold(path)
    await polls.run(30)
    expect(polls.askedAt(path)).toHaveLength(before + 1)
    await release()
    await polls.run(8)
    expect(polls.askedAt(path)).toHaveLength(before + 2)
  })

  await test.step('without a session the gate closes, and nothing is asked for any more', async () => {
    await page.context().clearCookies()
    await polls.run(6)
    await expect(page.getByText("You don't have founder-level access to view this dashboard.")).toBeVisible()
    const asked = polls.askedAt(founder('realtime-stats')).length
    await polls.run(35)
    expect(polls.askedAt(founder('realtime-stats'))).toHaveLength(asked)
    expect(polls.askedAt(founder('locked-accounts')).at(-1)).toBeLessThanOrEqual(118)
  })
})
