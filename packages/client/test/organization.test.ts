import { limits } from '@privity/contract/limits'
import { expect, test } from 'vitest'
import { collect, connected, createStage, next, type Person, type Stage } from './support/stage.ts'

/** Loopback without a proxy: the first account is the Super Admin of the default organization. */
async function createOffice(): Promise<{ stage: Stage; boss: Person; anna: Person }> {
  const stage = await createStage({ env: { TRUST_PROXY: '0' } })
  const [boss, anna] = [await stage.signUp('boss'), await stage.signUp('anna')]
  await Promise.all([connected(boss), connected(anna)])
  return { stage, boss, anna }
}

const signedOut = (person: Person) => next(person, 'signed_out')

test('an administrator lists, searches and pages the users, and a member is refused', async () => {
  const { stage, boss, anna } = await createOffice()
  await using _ = stage
  const { users, statistics } = await boss.client.organization.current()
  expect(users.map(({ username }) => username)).toEqual([anna.username, boss.username])
  expect(statistics).toEqual({ total: 2, active: 2, inactive: 0, admins: 1, activeAdmins: 1, users: 1 })
  const first = await boss.client.organization.users({ sort: 'email', limit: 1 })
  const second = await boss.client.organization.users({ sort: 'email', limit: 1, after: first.next ?? '' })
  expect([...first.users, ...second.users].map(({ id }) => id)).toEqual([anna.user.id, boss.user.id])
  expect((await boss.client.organization.users({ search: 'ann exa' })).users[0]?.id).toBe(anna.user.id)
  await expect(anna.client.organization.current()).rejects.toMatchObject({ code: 'FORBIDDEN' })
})

test('a member deactivated, demoted or deleted is signed out at once, and the keys are removed', async () => {
  const { stage, boss, anna } = await createOffice()
  await using _ = stage
  const { organization } = boss.client

  const deactivated = signedOut(anna)
  expect(await organization.setActive(anna.user.id, false)).toMatchObject({ id: anna.user.id, isActive: false })
  expect(await deactivated).toEqual({ reason: 'ended', because: 'deactivated' })
  expect(anna.client.account.state.get().status).toBe('signedOut')
  expect(await anna.device.names('keys')).toEqual([])
  await expect(anna.client.account.signIn(anna)).rejects.toMatchObject({ code: 'ACCOUNT_UNAVAILABLE' })

  await organization.setActive(anna.user.id, true)
  const signedIn = await stage.signIn(anna)
  await connected(signedIn)
  const promoted = signedOut(signedIn)
  expect((await organization.setRole(anna.user.id, 'org_admin')).role).toBe('org_admin')
  expect(await promoted).toEqual({ reason: 'ended', because: 'role_org_admin' })

  const again = await stage.signIn(anna)
  await connected(again)
  expect((await again.client.organization.policy()).twoFactor).toBe(false)
  const deleted = signedOut(again)
  await organization.removeUser(anna.user.id)
  expect(await deleted).toEqual({ reason: 'ended', because: 'deleted' })
  expect(again.client.account.state.get().status).toBe('signedOut')
})

test('a call that is told of the end before the socket is does not hide why it ended', async () => {
  const { stage, boss, anna } = await createOffice()
  await using _ = stage
  anna.network.holdsEnds = true
  const ended = signedOut(anna)
  await boss.client.organization.setActive(anna.user.id, false)
  const refused = () => expect(anna.client.connections.list()).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  await Promise.all([refused(), refused()])
  expect(anna.client.account.state.get().status).toBe('open')
  anna.network.holdsEnds = false
  expect(await ended).toEqual({ reason: 'ended', because: 'deactivated' })
  expect(anna.client.account.state.get().status).toBe('signedOut')
})

test('where the socket never says why, the end is not put off for long', async () => {
  const { stage, boss, anna } = await createOffice()
  await using _ = stage
  anna.network.holdsEnds = true
  const ended = signedOut(anna)
  await boss.client.organization.setActive(anna.user.id, false)
  await expect(anna.client.connections.list()).rejects.toMatchObject({ code: 'NOT_SIGNED_IN' })
  await stage.advance(1_000)
  expect(await ended).toEqual({ reason: 'ended' })
  expect(await anna.device.names('keys')).toEqual([])
})

test('a member who was offline when an administrator ended the session learns only that it ended', async () => {
  const { stage, boss, anna } = await createOffice()
  await using _ = stage
  anna.client.rest(true)
  const ended = signedOut(anna)
  await boss.client.organization.setActive(anna.user.id, false)
  anna.client.rest(false)
  expect(await ended).toEqual({ reason: 'ended' })
})

test('a link invites once, and the list says who came', async () => {
  const { stage, boss } = await createOffice()
  await using _ = stage
  const { organization } = boss.client
  const { invitation, link } = await organization.invite({ role: 'org_admin', validFor: limits.invitationUsual })
  const address = new URL(link)
  // Nothing of it reaches a server, or the logs on the way.
  expect([address.origin, address.pathname, address.search]).toEqual(['http://privity.test', '/auth', ''])
  const given = { username: 'guest', password: 'the password of guest', firstName: 'Guest', lastName: 'Person' }
  const token = new URLSearchParams(address.hash.slice(1)).get('invitation') ?? ''
  const signUp = (username: string) =>
    stage.tab().client.account.signUp({ ...given, username, email: `${username}@example.com`, invitation: token })
  const visitor = stage.tab().client.organization
  expect(await visitor.checkInvitation(token)).toMatchObject({ role: 'org_admin', expiresAt: invitation.expiresAt })
  expect((await signUp('guest')).user.role).toBe('org_admin')
  await expect(visitor.checkInvitation(token)).rejects.toMatchObject({ code: 'INVITATION_INVALID' })
  await expect(signUp('late')).rejects.toMatchObject({ code: 'INVITATION_INVALID' })
  const { invitations } = await organization.invitations()
  expect(invitations).toMatchObject([{ id: invitation.id, state: 'used', usedBy: { firstName: 'Guest' } }])
  const other = await organization.invite({ role: 'user', validFor: limits.minInvitation })
  expect((await organization.revokeInvitation(other.invitation.id)).state).toBe('revoked')
})

test('a policy reaches every member, and a change reaches the other administrators', async () => {
  const { stage, boss, anna } = await createOffice()
  await using _ = stage
  const elsewhere = await stage.signIn(boss)
  await connected(elsewhere)
  const strange = collect(anna, 'organization_changed')
  const [told, heard] = [next(anna, 'preferences_changed'), next(elsewhere, 'organization_changed')]
  const policy = await boss.client.organization.updatePolicy({
    screenshotProtection: true,
    allowedEmailDomains: ['Example.com'],
  })
  expect(policy).toMatchObject({ screenshotProtection: true, allowedEmailDomains: ['example.com'] })
  expect((await told).policy.screenshotProtection).toBe(true)
  await heard
  expect(await elsewhere.client.organization.policy()).toEqual(policy)
  expect(await elsewhere.client.organization.policyReach()).toMatchObject({ outsideDomains: 0 })
  expect(await elsewhere.client.organization.policyReach('other.example')).toMatchObject({ outsideDomains: 0 })
  expect(strange).toEqual([])
})

test('a session is confirmed with the password, and then the same call succeeds', async () => {
  const { stage, boss, anna } = await createOffice()
  await using _ = stage
  const { organization, secondFactor } = boss.client
  await stage.advance(limits.confirmationTime)
  const act = () => organization.setRole(anna.user.id, 'org_admin')
  await expect(act()).rejects.toMatchObject({ status: 403, code: 'CONFIRMATION_NEEDED' })
  await expect(secondFactor.confirmSession({ password: 'not it' })).rejects.toMatchObject({ code: 'WRONG_PASSWORD' })
  await expect(act()).rejects.toMatchObject({ code: 'CONFIRMATION_NEEDED' })
  await secondFactor.confirmSession({ password: boss.password })
  expect((await act()).role).toBe('org_admin')
})

test('a Super Admin renames the organization', async () => {
  const { stage, boss, anna } = await createOffice()
  await using _ = stage
  expect(await boss.client.organization.update({ name: 'Inns' })).toMatchObject({ name: 'Inns' })
  expect(await boss.client.organization.current()).toMatchObject({ name: 'Inns', isDefault: true })
  await expect(anna.client.organization.update({ name: 'Mine' })).rejects.toMatchObject({ code: 'FORBIDDEN' })
})
