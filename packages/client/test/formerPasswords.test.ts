import { expect, test } from 'vitest'
import { createStage, type Person } from './harness.ts'
import { replaceKeys } from './harnessReplacement.ts'

async function changePassword(person: Person, newPassword: string): Promise<void> {
  await person.client.ownAccount.changePassword({ currentPassword: person.password, newPassword })
  person.password = newPassword
}

const refused = { code: 'PASSWORD_FORMER' }

test('new keys refuse a password of before the present one: it opened the same keys', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const first = anna.password
  await changePassword(anna, 'the second password')
  await expect(replaceKeys(anna, first)).rejects.toMatchObject(refused)
  await replaceKeys(anna, 'the third password')
})

test('a change after new keys refuses every password that opened the keys before', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const first = anna.password
  await changePassword(anna, 'the second password')
  await replaceKeys(anna, 'the third password')
  await expect(changePassword(anna, first)).rejects.toMatchObject(refused)
  await expect(changePassword(anna, 'the second password')).rejects.toMatchObject(refused)
})

test('a recovery after new keys refuses a password that opened the keys before', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const first = anna.password
  await replaceKeys(anna, 'the second password')
  const { client, username, recoveryKey } = anna
  await client.account.signOut()
  const reset = (newPassword: string) => client.account.resetPassword({ username, recoveryKey, newPassword })
  await expect(reset(first)).rejects.toMatchObject(refused)
  await expect(reset('the third password')).resolves.toMatchObject({ status: 'open' })
})

test('a change back is fine while the keys are the same', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const first = anna.password
  await changePassword(anna, 'the second password')
  await changePassword(anna, first)
})

test('the last five passwords are known', async () => {
  await using stage = await createStage()
  const anna = await stage.signUp('anna')
  const first = anna.password
  for (let index = 0; index < 5; index++) {
    stage.server.clock.advance(1000)
    await changePassword(anna, `password number ${index}`)
  }
  await expect(replaceKeys(anna, first)).rejects.toMatchObject(refused)
  const kept = 'select count(*) as n from former_passwords'
  await replaceKeys(anna, 'the last password')
  expect(await stage.server.core.db.read.get(kept, [])).toEqual({ n: 5 })
})
