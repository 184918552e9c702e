import type { Person, Tab } from './stage.ts'

export const newPassword = 'an entirely new password'

/** Replaces all keys of a person, as after a compromise; the password becomes the new one. */
export async function replaceKeys(person: Person, password = newPassword): Promise<void> {
  const { client } = person
  const options = { currentPassword: person.password, newPassword: password }
  const { recoveryKey, activate } = await client.ownAccount.prepareNewKeys(options)
  await activate()
  Object.assign(person, { password, recoveryKey })
}

const shownTo = async ({ client }: Tab, connectionId: string) => (await client.trust.state(connectionId)).safetyNumber

export async function markVerified(tab: Tab, connectionId: string): Promise<void> {
  await tab.client.trust.markVerified(connectionId, await shownTo(tab, connectionId))
}

export async function accept(tab: Tab, connectionId: string): Promise<void> {
  await tab.client.trust.accept(connectionId, await shownTo(tab, connectionId))
}
