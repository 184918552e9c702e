import { fillSignIn, guess, refusal, signIn, signOut } from '../../support/members/account.ts'
import { amara } from '../../support/members/people.ts'
import { expect, test } from '../../support/servers/unconnected.ts'

test('5 failed sign-ins lock the account for a stranger, not for its owner’s browser', async ({
  openBrowser,
  expectComplaint,
  enterAs,
}) => {
  expectComplaint(/(401 \(Unauthorized\)|423 \(Locked\)) .*\/api\/login$/)
  const [owner, stranger] = [await openBrowser(), await openBrowser()]
  await enterAs(owner, amara)
  await signOut(owner)

  for (const attempt of [1, 5]) {
    const answer = stranger.waitForResponse('**/api/login')
    await fillSignIn(stranger, { ...amara, password: `a guess, number ${attempt}` })
    expect((await answer).status()).toBe(401)
    await expect(refusal(stranger, 'Login failed')).toBeVisible()
    // The form needs about a second of computation per attempt, so the other attempts call the API.
    if (attempt === 1) await guess(stranger, amara, 3)
  }
  await fillSignIn(stranger, amara)
  await expect(refusal(stranger, 'This account is locked after 5 failed sign-ins.')).toBeVisible()

  await signIn(owner, amara)
})
