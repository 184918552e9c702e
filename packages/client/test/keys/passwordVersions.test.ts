import { expect, test } from 'vitest'
import { createStage, type Person, type Stage } from '../support/stage.ts'

/** Somebody who signed up with an earlier release, in a browser of a release that raised Argon2id's cost. */
async function moveOn(stage: Stage): Promise<Person> {
  const person = await stage.signUp('anna')
  const made = stage.tab(undefined, { passwordVersions: [2, 1] })
  await made.client.account.signIn(person)
  return { ...person, ...made }
}

const versionOf = ({ client }: Person) => {
  const now = client.account.state.get()
  return now.status === 'open' ? (now.user.passwordVersion ?? 1) : undefined
}

test('an account whose password was derived at a former cost signs in', async () => {
  await using stage = await createStage()
  expect(versionOf(await moveOn(stage))).toBe(1)
})

test('it confirms with its password at the former cost', async () => {
  await using stage = await createStage()
  const { client, password } = await moveOn(stage)
  await expect(client.privacy.allowExports(password)).resolves.toBeDefined()
})

test('it moves to the newest cost with its next password, and signs in and confirms with it', async () => {
  await using stage = await createStage()
  const anna = await moveOn(stage)
  const { client, password: currentPassword, username } = anna
  await client.ownAccount.changePassword({ currentPassword, newPassword: 'another password' })
  expect(versionOf(anna)).toBe(2)
  await expect(client.privacy.allowExports('another password')).resolves.toBeDefined()
  const made = stage.tab(undefined, { passwordVersions: [2, 1] })
  await made.client.account.signIn({ username, password: 'another password' })
  expect(versionOf({ ...anna, ...made })).toBe(2)
})

test('a recovery and new keys move to the newest cost too', async () => {
  await using stage = await createStage()
  const { username, recoveryKey, client } = await moveOn(stage)
  await client.account.signOut()
  await client.account.resetPassword({ username, recoveryKey, newPassword: 'one more password' })
  const given = { currentPassword: 'one more password', newPassword: 'the last password' }
  await (await client.ownAccount.prepareNewKeys(given)).activate()
  await client.account.signOut()
  await client.account.signIn({ username, password: 'the last password' })
  expect(client.account.state.get()).toMatchObject({ status: 'open', user: { passwordVersion: 2 } })
})

test('new keys refuse the old password, though it would be derived at another cost', async () => {
  await using stage = await createStage()
  const { client, password } = await moveOn(stage)
  const refused = client.ownAccount.prepareNewKeys({ currentPassword: password, newPassword: password })
  await expect(refused).rejects.toMatchObject({ code: 'PASSWORD_UNCHANGED' })
})

test('a wrong password is refused whatever the cost', async () => {
  await using stage = await createStage()
  const { username } = await stage.signUp('anna')
  const { client } = stage.tab(undefined, { passwordVersions: [2, 1] })
  const refused = client.account.signIn({ username, password: 'not the password' })
  await expect(refused).rejects.toMatchObject({ code: 'WRONG_CREDENTIALS' })
})
